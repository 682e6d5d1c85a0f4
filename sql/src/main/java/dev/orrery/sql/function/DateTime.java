package dev.orrery.sql.function;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as the query language writes them, {@code 2026-01-02T03:04:05.6789012Z}, in steps (ticks) of 100 nanoseconds. */
final class DateTime {
    private static final int NANOS_PER_TICK = 100;
    static final long TICKS_PER_SECOND = 10_000_000;

    // Every repetition is bounded, so no text can make this slow.
    private static final Pattern TEXT =
            Pattern.compile("(\\d{4})-(\\d{2})-(\\d{2})(?:[T ](\\d{2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,7}))?)?Z?");

    private DateTime() {}

    /** Reads a date with or without a time of the day; the time zone is always UTC. */
    static Optional<LocalDateTime> parse(String text) {
        var matcher = TEXT.matcher(text);
        return matcher.matches() ? of(matcher) : Optional.empty();
    }

    private static Optional<LocalDateTime> of(Matcher matcher) {
        var fraction = matcher.group(7) == null ? "" : matcher.group(7);
        return of(
                number(matcher.group(1)),
                number(matcher.group(2)),
                number(matcher.group(3)),
                number(matcher.group(4)),
                number(matcher.group(5)),
                number(matcher.group(6)),
                number((fraction + "0000000").substring(0, 7)));
    }

    private static int number(String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    /** The time with these parts, if there is one. */
    static Optional<LocalDateTime> of(int year, int month, int day, int hour, int minute, int second, int ticks) {
        try {
            return inRange(LocalDateTime.of(year, month, day, hour, minute, second, ticks * NANOS_PER_TICK));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    /** A time if it can be written with four digits of the year. */
    static Optional<LocalDateTime> inRange(LocalDateTime time) {
        return time.getYear() >= 1 && time.getYear() <= 9999 ? Optional.of(time) : Optional.empty();
    }

    static LocalDateTime of(Instant instant) {
        return LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
    }

    static Optional<LocalDateTime> ofTicks(long ticks) {
        try {
            return inRange(LocalDateTime.ofEpochSecond(
                    Math.floorDiv(ticks, TICKS_PER_SECOND),
                    (int) Math.floorMod(ticks, TICKS_PER_SECOND) * NANOS_PER_TICK,
                    ZoneOffset.UTC));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    static long ticks(LocalDateTime time) {
        return time.toEpochSecond(ZoneOffset.UTC) * TICKS_PER_SECOND + tickOfSecond(time);
    }

    static int tickOfSecond(LocalDateTime time) {
        return time.get(ChronoField.NANO_OF_SECOND) / NANOS_PER_TICK;
    }

    static String print(LocalDateTime time) {
        return String.format(
                Locale.ROOT,
                "%04d-%02d-%02dT%02d:%02d:%02d.%07dZ",
                time.getYear(),
                time.getMonthValue(),
                time.getDayOfMonth(),
                time.getHour(),
                time.getMinute(),
                time.getSecond(),
                tickOfSecond(time));
    }

    /** The unit that the name of a part of a time stands for. */
    static Optional<ChronoUnit> unit(String part) {
        return Optional.ofNullable(
                switch (part.toLowerCase(Locale.ROOT)) {
                    case "year", "yyyy", "yy" -> ChronoUnit.YEARS;
                    case "month", "mm", "m" -> ChronoUnit.MONTHS;
                    case "day", "dd", "d" -> ChronoUnit.DAYS;
                    case "hour", "hh" -> ChronoUnit.HOURS;
                    case "minute", "mi", "n" -> ChronoUnit.MINUTES;
                    case "second", "ss", "s" -> ChronoUnit.SECONDS;
                    case "millisecond", "ms" -> ChronoUnit.MILLIS;
                    case "microsecond", "mcs" -> ChronoUnit.MICROS;
                    case "nanosecond", "ns" -> ChronoUnit.NANOS;
                    default -> null;
                });
    }
}
