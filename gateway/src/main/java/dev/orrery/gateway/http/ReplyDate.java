package dev.orrery.gateway.http;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** The {@code Date} header, spelled out once a second. */
final class ReplyDate {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final InstantSource clock;
    private volatile Line line = new Line(Long.MIN_VALUE, new byte[0]);

    ReplyDate(InstantSource clock) {
        this.clock = clock;
    }

    /** The whole header line. */
    byte[] line() {
        var second = Math.floorDiv(clock.millis(), 1000L);
        var current = line;
        if (current.second != second) {
            var text = "Date: " + FORMAT.format(Instant.ofEpochSecond(second)) + "\r\n";
            current = new Line(second, text.getBytes(StandardCharsets.US_ASCII));
            line = current;
        }
        return current.bytes;
    }

    private static final class Line {
        private final long second;
        private final byte[] bytes;

        private Line(long second, byte[] bytes) {
            this.second = second;
            this.bytes = bytes;
        }
    }
}
