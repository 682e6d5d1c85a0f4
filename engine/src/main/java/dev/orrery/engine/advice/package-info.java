/** What clients ask for, and what would make it cheaper. Begin with {@link Advisor}. */
package dev.orrery.engine.advice;
