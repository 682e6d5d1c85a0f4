/** Texts as lists of words: how a text is cut into words of a language, and how terms are found among them. */
package dev.orrery.sql.text;
