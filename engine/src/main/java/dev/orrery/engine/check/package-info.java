/** Tells whether the rows of a store agree with each other. Begin with {@link StoreCheck}. */
package dev.orrery.engine.check;
