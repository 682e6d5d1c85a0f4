/** What requests cost. */
package dev.orrery.engine.budget;
