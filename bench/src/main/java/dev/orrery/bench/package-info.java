/**
 * Measurements, each a command of its own; begin with {@link dev.orrery.bench.Main}, then {@link
 * dev.orrery.bench.Measuring} and {@link dev.orrery.bench.Servers}, which all that ask a running server share.
 */
package dev.orrery.bench;
