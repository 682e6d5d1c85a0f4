package dev.orrery.example.publishing;

/**
 * Tells a user of an article, as the item that is stored. Its id is that of the article, so that whoever is told twice has one.
 *
 * @param partitionKey the user
 * @param subscriptionFilter the subscription that it comes from
 */
public record Notification(
        String id, String type, String partitionKey, String userId, String subscriptionFilter, String articleId) {
    static final String TYPE = "notification";

    static Notification of(Subscription subscription, String articleId) {
        var user = subscription.userId();
        return new Notification(articleId, TYPE, user, user, subscription.subscriptionFilter(), articleId);
    }
}
