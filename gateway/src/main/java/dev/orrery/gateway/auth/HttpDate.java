package dev.orrery.gateway.auth;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.OptionalLong;

/** Dates of headers: {@code Sun, 15 Nov 2026 18:19:28 GMT}, as RFC 1123 has them, with one or two digits for the day. */
public final class HttpDate {
    private static final DateTimeFormatter FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);
    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";

    /** Length of everything from the space before the month: {@code " Nov 2026 18:19:28 GMT"}. */
    private static final int TAIL = 22;

    /** Where the day of the month begins: behind {@code "Sun, "}. */
    private static final int DAY_START = 5;

    private HttpDate() {}

    public static String format(Instant instant) {
        return FORMAT.format(instant);
    }

    /** Seconds since 1970 UTC; empty for anything else than such a date. */
    public static OptionalLong parse(String text) {
        int tail = text.length() - TAIL;
        if (tail <= DAY_START
                || tail > DAY_START + 2
                || text.charAt(3) != ','
                || text.charAt(4) != ' '
                || text.charAt(tail) != ' '
                || text.charAt(tail + 4) != ' '
                || text.charAt(tail + 9) != ' '
                || text.charAt(tail + 12) != ':'
                || text.charAt(tail + 15) != ':'
                || !text.regionMatches(true, tail + 18, " GMT", 0, 4)) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(LocalDateTime.of(
                            number(text, tail + 5, tail + 9),
                            month(text, tail + 1),
                            number(text, DAY_START, tail),
                            number(text, tail + 10, tail + 12),
                            number(text, tail + 13, tail + 15),
                            number(text, tail + 16, tail + 18))
                    .toEpochSecond(ZoneOffset.UTC));
        } catch (DateTimeException _) {
            return OptionalLong.empty();
        }
    }

    private static int month(String text, int start) {
        for (int month = 0; month < 12; month++) {
            if (text.regionMatches(true, start, MONTHS, month * 3, 3)) {
                return month + 1;
            }
        }
        throw new DateTimeException("no such month");
    }

    private static int number(String text, int start, int end) {
        int number = 0;
        for (int at = start; at < end; at++) {
            int digit = text.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                throw new DateTimeException("not a digit");
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
