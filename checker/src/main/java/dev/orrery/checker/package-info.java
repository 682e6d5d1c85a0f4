/**
 * Tells from what clients have seen whether a database has kept its promises; begin with {@link
 * dev.orrery.checker.Recorder}, then {@link dev.orrery.checker.Linearizability}.
 */
package dev.orrery.checker;
