/** What clients ask for, and what would make it cheaper. */
package dev.orrery.engine.advice;
