package dev.orrery.example.publishing.demo;

/**
 * One thing that somebody did.
 *
 * @param far whether it was sent to another region, on purpose
 * @param atMillis when it began, since the demo did
 */
record Call(Region region, Method method, boolean far, double atMillis, double millis, boolean failed) {}
