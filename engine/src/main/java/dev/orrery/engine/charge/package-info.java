/** What a request has cost. Begin with {@link Bill}. */
package dev.orrery.engine.charge;
