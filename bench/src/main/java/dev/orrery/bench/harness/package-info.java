/**
 * What all measurements have in common: servers that are started, requests, load and reports. Begin with {@link
 * Measuring} and {@link Servers}.
 */
package dev.orrery.bench.harness;
