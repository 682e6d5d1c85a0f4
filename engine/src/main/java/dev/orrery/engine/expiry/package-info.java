/** Time to live: removing in the background what readers no longer see. */
package dev.orrery.engine.expiry;
