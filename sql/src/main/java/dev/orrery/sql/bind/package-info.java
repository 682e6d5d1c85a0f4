/**
 * Gives meaning to the syntax of a query: names become slots, functions and aggregates are found, and what makes no
 * sense is refused. Begin with {@link QueryBinder}; what it makes is a {@link BoundStatement}.
 */
package dev.orrery.sql.bind;
