package dev.orrery.example.publishing.demo;

/** What people do on the platform. */
enum Method {
    PUBLISH("publish", true),
    SUBSCRIBE("createSubscription", true),
    REVIEW("writeReview", true),
    READ_FEED("readNotificationFeed", false),
    READ_ARTICLE("readArticle", false),
    READ_REVIEWS("readReviews", false);

    private final String title;
    private final boolean write;

    Method(String title, boolean write) {
        this.title = title;
        this.write = write;
    }

    String title() {
        return title;
    }

    boolean isWrite() {
        return write;
    }
}
