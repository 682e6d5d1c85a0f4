package dev.orrery.checker;

/** A promise that was broken. */
public record Violation(String promise, String words) {
    @Override
    public String toString() {
        return promise + ": " + words;
    }
}
