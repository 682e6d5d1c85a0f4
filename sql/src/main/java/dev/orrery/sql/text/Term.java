package dev.orrery.sql.text;

/**
 * What is searched in a text: a word, or several words that stand together.
 *
 * @param editsMax in how many letters each word may differ
 */
public record Term(String text, int editsMax) {
    public static final int EDITS_MAX = 2;
}
