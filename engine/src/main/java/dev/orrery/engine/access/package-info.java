/** Who may do what: keys, and the tokens of permissions. */
package dev.orrery.engine.access;
