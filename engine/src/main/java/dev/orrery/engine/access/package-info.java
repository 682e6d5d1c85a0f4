/** Who may do what: keys, and the tokens of permissions. Begin with {@link Access}. */
package dev.orrery.engine.access;
