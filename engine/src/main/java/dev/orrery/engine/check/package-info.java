/** Tells whether the rows of a store agree with each other. */
package dev.orrery.engine.check;
