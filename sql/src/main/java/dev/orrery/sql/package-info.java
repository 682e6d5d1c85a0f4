/** The query language, from text to plan, and the evaluation of expressions. */
package dev.orrery.sql;
