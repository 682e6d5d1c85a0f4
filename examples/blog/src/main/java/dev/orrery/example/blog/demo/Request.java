package dev.orrery.example.blog.demo;

import dev.orrery.example.blog.Version;

/** The requests of the platform, with the results that ours are printed beside. */
enum Request {
    C1("create or edit a user", 7, 5.71, 7, 5.71, 7, 5.71),
    Q1("retrieve a user", 2, 1, 2, 1, 2, 1),
    C2("create or edit a post", 9, 8.76, 9, 8.76, 9, 8.76),
    Q2("retrieve a post", 9, 19.54, 2, 1, 2, 1),
    Q3("list a user's posts", 130, 619.41, 28, 201.54, 4, 6.46),
    C3("create a comment", 7, 8.57, 7, 15.27, 7, 15.27),
    Q4("list a post's comments", 23, 27.72, 4, 7.72, 4, 7.72),
    C4("like a post", 6, 7.05, 7, 14.67, 7, 14.67),
    Q5("list a post's likes", 59, 58.92, 4, 8.92, 4, 8.92),
    Q6("list the most recent posts", 306, 2063.54, 83, 532.33, 9, 16.97);

    /** What one request took in one version, as published. */
    record Reference(int millis, double units) {}

    private final String title;
    private final int v1Millis;
    private final double v1Units;
    private final int v2Millis;
    private final double v2Units;
    private final int v3Millis;
    private final double v3Units;

    Request(String title, int v1Millis, double v1Units, int v2Millis, double v2Units, int v3Millis, double v3Units) {
        this.title = title;
        this.v1Millis = v1Millis;
        this.v1Units = v1Units;
        this.v2Millis = v2Millis;
        this.v2Units = v2Units;
        this.v3Millis = v3Millis;
        this.v3Units = v3Units;
    }

    String title() {
        return title;
    }

    Reference reference(Version version) {
        return switch (version) {
            case V1 -> new Reference(v1Millis, v1Units);
            case V2 -> new Reference(v2Millis, v2Units);
            case V3 -> new Reference(v3Millis, v3Units);
        };
    }
}
