package dev.orrery.example.publishing;

/**
 * A review of an article as the item that is stored.
 *
 * @param partitionKey the id of the article
 */
public record Review(
        String id, String type, String partitionKey, String articleId, String userId, String reviewText, int rating) {
    static final String TYPE = "review";

    static Review of(String id, String articleId, String userId, String reviewText, int rating) {
        return new Review(id, TYPE, articleId, articleId, userId, reviewText, rating);
    }
}
