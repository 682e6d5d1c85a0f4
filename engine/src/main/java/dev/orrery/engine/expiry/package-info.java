/** Time to live: removing in the background what readers no longer see. Begin with {@link Sweeper}. */
package dev.orrery.engine.expiry;
