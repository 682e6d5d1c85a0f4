/**
 * The built-in functions of the query language, as tables that are their manual as well. Begin with {@link Builtin},
 * one row of them.
 */
package dev.orrery.sql.function;
