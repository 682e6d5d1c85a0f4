package dev.orrery.example.modeling;

/** What a task takes once. */
public record Cost(double requestUnits, double millis) {}
