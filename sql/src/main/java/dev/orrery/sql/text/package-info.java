/**
 * Texts as lists of words: how a text is cut into words of a language, and how terms are found among them. Begin with
 * {@link Texts}.
 */
package dev.orrery.sql.text;
