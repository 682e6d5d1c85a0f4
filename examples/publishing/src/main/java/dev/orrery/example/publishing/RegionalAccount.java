package dev.orrery.example.publishing;

import java.net.URI;

/**
 * An account that is written in one region, or in all, and can be read in all.
 *
 * @param endpoint where it answers for whoever connects; the SDK learns there of all its regions
 */
public record RegionalAccount(URI endpoint, String key) {}
