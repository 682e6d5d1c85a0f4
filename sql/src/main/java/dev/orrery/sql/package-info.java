/**
 * The query language, from text to rows, without any I/O.
 *
 * <p>The walk: {@link dev.orrery.sql.syntax} reads the text into a syntax tree with positions; {@link
 * dev.orrery.sql.bind} resolves names to slots, finds functions and aggregates and refuses what makes no sense; {@link
 * dev.orrery.sql.run} pushes items through the bound query and gets rows, calling {@link dev.orrery.sql.function} for the
 * built-in functions; {@link dev.orrery.sql.plan} looks at a query without running it: which keys it asks for, and how an
 * SDK is to run it over several partitions. Begin with {@link dev.orrery.sql.Query}, the door to all of it.
 *
 * <p>The result of a query depends on its text, its parameters, its fixed "now" and the items only.
 */
package dev.orrery.sql;
