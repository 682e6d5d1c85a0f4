package dev.orrery.example.blog;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Dates as ISO 8601 text of one length, so that their text sorts as they do. */
final class Dates {
    private static final DateTimeFormatter MICROSECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private Dates() {}

    static String text(Instant date) {
        return MICROSECONDS.format(date);
    }
}
