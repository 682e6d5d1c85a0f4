package dev.orrery.example.publishing.demo;

import com.fasterxml.jackson.databind.JsonNode;
import dev.orrery.checker.Action;
import java.util.Optional;

/** How the proof calls the items that were written, before they are there and when they are found. */
final class Written {
    private static final String SUBSCRIBED = "subscribed";

    private Written() {}

    static Action.Write article(String account, String id, String title) {
        return Action.Write.of(account + " article " + id, title);
    }

    /** By its text, as the id is given by the platform. */
    static Action.Write review(String account, String text) {
        return Action.Write.of(account + " review " + text, text);
    }

    static Action.Write subscription(String account, String filter, String user) {
        return Action.Write.of(account + " subscription " + filter + " " + user, SUBSCRIBED);
    }

    /** What an item was written as; nothing for a notification, which nobody writes by itself. */
    static Optional<Action.Write> of(String account, JsonNode item) {
        return switch (item.path("type").asText()) {
            case "article" ->
                Optional.of(article(
                        account, item.path("id").asText(), item.path("title").asText()));
            case "review" -> Optional.of(review(account, item.path("reviewText").asText()));
            case "subscription" ->
                Optional.of(subscription(
                        account,
                        item.path("subscriptionFilter").asText(),
                        item.path("userId").asText()));
            default -> Optional.empty();
        };
    }
}
