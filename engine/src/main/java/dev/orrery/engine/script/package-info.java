/**
 * Stored procedures, triggers and user-defined functions: what they may do. How JavaScript runs is behind a port. Begin
 * with {@link Scripts}.
 */
package dev.orrery.engine.script;
