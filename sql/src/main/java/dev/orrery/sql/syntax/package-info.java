/**
 * Reads the text of a query into a syntax tree that knows where everything stood, or says what is wrong and where.
 * Begin with {@link QueryParser}.
 */
package dev.orrery.sql.syntax;
