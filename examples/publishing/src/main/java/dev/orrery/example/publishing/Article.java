package dev.orrery.example.publishing;

import java.util.List;

/**
 * An article as the item that is stored.
 *
 * @param partitionKey its id
 */
public record Article(
        String id,
        String type,
        String partitionKey,
        String author,
        String category,
        List<String> tags,
        String title,
        String text) {
    static final String TYPE = "article";

    public Article {
        tags = List.copyOf(tags);
    }

    public static Article by(String author, String id, String category, List<String> tags, String title, String text) {
        return new Article(id, TYPE, id, author, category, tags, title, text);
    }
}
