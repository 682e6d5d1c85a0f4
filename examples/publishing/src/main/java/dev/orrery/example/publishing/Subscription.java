package dev.orrery.example.publishing;

/**
 * A subscription as the item that is stored. Its id is that of its user, so that whoever subscribes twice has one.
 *
 * @param partitionKey the filter
 * @param subscriptionFilter an author or a category
 */
public record Subscription(String id, String type, String partitionKey, String subscriptionFilter, String userId) {
    static final String TYPE = "subscription";

    static Subscription of(String userId, String filter) {
        return new Subscription(userId, TYPE, filter, filter, userId);
    }
}
