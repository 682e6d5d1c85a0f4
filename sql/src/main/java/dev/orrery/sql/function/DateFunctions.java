package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Str;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Functions on dates and times, which are texts. The current time is the one that the query was given, the same for all
 * rows. What is not a time, or a part of one, gives undefined.
 */
final class DateFunctions {
    /** The start of bins may not be before the epoch of Windows. */
    private static final int BIN_YEAR_MIN = 1601;

    static final List<Builtin> TABLE = List.of(
            row(
                    "AGO",
                    "unit, integer amount",
                    "The current time less a number of units.",
                    "AGO('yyyy', 1)",
                    "\"2025-01-02T03:04:05.6780000Z\"",
                    DateFunctions::ago),
            row(
                    "DATETIMEADD",
                    "unit, integer amount, time",
                    "A time plus a number of units.",
                    "DATETIMEADD('mm', 1, '2020-01-31T00:00:00Z')",
                    "\"2020-02-29T00:00:00.0000000Z\"",
                    DateFunctions::add),
            row(
                    "DATETIMEBIN",
                    "time, unit, integer size?, origin?",
                    "The start of the bin that a time is in, for bins of a number of units counted from 1970-01-01 or"
                            + " a given origin.",
                    "DATETIMEBIN('2021-01-08T18:35:00Z', 'hh', 5)",
                    "\"2021-01-08T15:00:00.0000000Z\"",
                    DateFunctions::bin),
            row(
                    "DATETIMEDIFF",
                    "unit, start, end",
                    "How many boundaries between units lie between two times.",
                    "DATETIMEDIFF('dd', '2018-03-05T05:00:00Z', '2019-02-04T16:00:00Z')",
                    "336",
                    DateFunctions::difference),
            row(
                    "DATETIMEFORMAT",
                    "time, format",
                    "A time in another form, written with letters such as yyyy, MM, dd, HH, mm, ss.",
                    "DATETIMEFORMAT('2024-10-10 14:40:20', 'dd/MM/yyyy HH:mm')",
                    "\"10/10/2024 14:40\"",
                    DateFunctions::format),
            row(
                    "DATETIMEFROMPARTS",
                    "integer year, integer month, integer day, integer hour?, integer minute?, integer second?,"
                            + " integer fraction?",
                    "The time with these parts; the fraction counts hundreds of nanoseconds.",
                    "DATETIMEFROMPARTS(2017, 4, 20, 13)",
                    "\"2017-04-20T13:00:00.0000000Z\"",
                    DateFunctions::fromParts),
            row(
                    "DATETIMEPART",
                    "unit, time",
                    "One part of a time as a number.",
                    "DATETIMEPART('mcs', '2016-05-29T08:30:00.1301617Z')",
                    "130161",
                    (values, _) -> part(values[0], values[1])),
            time(
                    "DATETIMETOTICKS",
                    "time",
                    "How many hundreds of nanoseconds after 1970-01-01 a time is.",
                    "DATETIMETOTICKS('2015-05-19T12:00:00Z')",
                    "14320368000000000",
                    time -> new Num(DateTime.ticks(time))),
            time(
                    "DATETIMETOTIMESTAMP",
                    "time",
                    "How many milliseconds after 1970-01-01 a time is.",
                    "DATETIMETOTIMESTAMP('2015-05-19T12:00:00Z')",
                    "1432036800000",
                    time -> new Num(Math.floorDiv(DateTime.ticks(time), 10_000))),
            time(
                    "DAY",
                    "time",
                    "The day of the month of a time.",
                    "DAY('2024-01-10')",
                    "10",
                    time -> new Num(time.getDayOfMonth())),
            now(
                    "GETCURRENTDATETIME",
                    "",
                    "The current time, the same in all rows of a query.",
                    "\"2026-01-02T03:04:05.6780000Z\"",
                    DateFunctions::print),
            now(
                    "GETCURRENTTICKS",
                    "",
                    "The current time in hundreds of nanoseconds after 1970-01-01.",
                    "17673230456780000",
                    now -> new Num(DateTime.ticks(DateTime.of(now)))),
            now(
                    "GETCURRENTTIMESTAMP",
                    "",
                    "The current time in milliseconds after 1970-01-01.",
                    "1767323045678",
                    now -> new Num(now.toEpochMilli())),
            Builtin.lenient(
                    Builtin.Group.TYPE,
                    "IS_DATETIME",
                    "value",
                    "Whether a value is a text that the functions on dates and times can read.",
                    "IS_DATETIME('2024-12-12')",
                    "true",
                    (values, _) -> Bool.of(time(values[0]).isPresent())),
            time(
                    "MONTH",
                    "time",
                    "The month of a time.",
                    "MONTH('2024-01-10')",
                    "1",
                    time -> new Num(time.getMonthValue())),
            row(
                    "NOW",
                    "unit?, integer amount?",
                    "The current time, or the current time plus a number of units.",
                    "NOW('dd', 1)",
                    "\"2026-01-03T03:04:05.6780000Z\"",
                    DateFunctions::now),
            row(
                    "TICKSTODATETIME",
                    "integer ticks",
                    "The time that is a number of hundreds of nanoseconds after 1970-01-01.",
                    "TICKSTODATETIME(0)",
                    "\"1970-01-01T00:00:00.0000000Z\"",
                    (values, _) -> fromTicks(values[0], 1)),
            row(
                    "TIMESTAMPTODATETIME",
                    "integer milliseconds",
                    "The time that is a number of milliseconds after 1970-01-01.",
                    "TIMESTAMPTODATETIME(0)",
                    "\"1970-01-01T00:00:00.0000000Z\"",
                    (values, _) -> fromTicks(values[0], 10_000)),
            time("YEAR", "time", "The year of a time.", "YEAR('2024-01-10')", "2024", time -> new Num(time.getYear())));

    private DateFunctions() {}

    private static Builtin row(
            String names, String parameters, String description, String example, String result, Builtin.Body body) {
        return Builtin.row(Builtin.Group.DATE, names, parameters, description, example, result, body);
    }

    private static Builtin time(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            Function<LocalDateTime, JsonValue> body) {
        return row(
                name,
                parameters,
                description,
                example,
                result,
                (values, _) -> time(values[0]).map(body).orElse(JsonValue.UNDEFINED));
    }

    /** A function of the current time, which is the same for all rows with and without STATIC in its name. */
    private static Builtin now(
            String name, String parameters, String description, String result, Function<Instant, JsonValue> body) {
        return row(
                name + " " + name + "STATIC",
                parameters,
                description,
                name + "()",
                result,
                (_, context) -> body.apply(context.now()));
    }

    private static Optional<LocalDateTime> time(JsonValue value) {
        return value instanceof Str(String text) ? DateTime.parse(text) : Optional.empty();
    }

    private static Optional<ChronoUnit> unit(JsonValue value) {
        return value instanceof Str(String part) ? DateTime.unit(part) : Optional.empty();
    }

    private static JsonValue print(Instant instant) {
        return print(DateTime.inRange(DateTime.of(instant)));
    }

    private static JsonValue print(Optional<LocalDateTime> time) {
        return time.<JsonValue>map(defined -> new Str(DateTime.print(defined))).orElse(JsonValue.UNDEFINED);
    }

    private static JsonValue ago(JsonValue[] values, CallContext context) {
        return add(Optional.of(DateTime.of(context.now())), unit(values[0]), -Numbers.integer(values[1]));
    }

    private static JsonValue now(JsonValue[] values, CallContext context) {
        return switch (values.length) {
            case 0 -> print(context.now());
            case 2 -> add(Optional.of(DateTime.of(context.now())), unit(values[0]), Numbers.integer(values[1]));
            default -> JsonValue.UNDEFINED;
        };
    }

    private static JsonValue add(JsonValue[] values, CallContext context) {
        return add(time(values[2]), unit(values[0]), Numbers.integer(values[1]));
    }

    private static JsonValue add(Optional<LocalDateTime> time, Optional<ChronoUnit> unit, long amount) {
        if (time.isEmpty() || unit.isEmpty()) {
            return JsonValue.UNDEFINED;
        }
        try {
            return print(DateTime.inRange(time.get().plus(amount, unit.get())));
        } catch (DateTimeException | ArithmeticException _) {
            return JsonValue.UNDEFINED;
        }
    }

    private static JsonValue bin(JsonValue[] values, CallContext context) {
        var unit = unit(values[1]);
        var size = Numbers.integer(values, 2, 1);
        var start = values.length > 3 ? time(values[3]) : DateTime.ofTicks(0);
        var time = time(values[0]);
        if (time.isEmpty()
                || unit.isEmpty()
                || size <= 0
                || start.filter(first -> first.getYear() >= BIN_YEAR_MIN).isEmpty()) {
            return JsonValue.UNDEFINED;
        }
        try {
            var passed = passed(start.get(), time.get(), unit.get());
            return print(DateTime.inRange(start.get().plus(Math.floorDiv(passed, size) * size, unit.get())));
        } catch (DateTimeException | ArithmeticException _) {
            return JsonValue.UNDEFINED;
        }
    }

    /** How many whole units have passed since a start, rounded down also before it. */
    private static long passed(LocalDateTime start, LocalDateTime time, ChronoUnit unit) {
        var units = unit.between(start, time);
        return start.plus(units, unit).isAfter(time) ? units - 1 : units;
    }

    /** How many boundaries between units lie between two times. */
    private static JsonValue difference(JsonValue[] values, CallContext context) {
        var unit = unit(values[0]);
        var start = time(values[1]);
        var end = time(values[2]);
        if (unit.isEmpty() || start.isEmpty() || end.isEmpty()) {
            return JsonValue.UNDEFINED;
        }
        try {
            return new Num(unit.get().between(floor(start.get(), unit.get()), floor(end.get(), unit.get())));
        } catch (ArithmeticException _) {
            return JsonValue.UNDEFINED;
        }
    }

    private static LocalDateTime floor(LocalDateTime time, ChronoUnit unit) {
        return switch (unit) {
            case YEARS -> time.truncatedTo(ChronoUnit.DAYS).withDayOfYear(1);
            case MONTHS -> time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
            default -> time.truncatedTo(unit);
        };
    }

    private static JsonValue format(JsonValue[] values, CallContext context) {
        return values[1] instanceof Str(String format)
                ? time(values[0])
                        .<JsonValue>map(time -> new Str(DateFormat.print(time, format)))
                        .orElse(JsonValue.UNDEFINED)
                : JsonValue.UNDEFINED;
    }

    private static JsonValue fromParts(JsonValue[] values, CallContext context) {
        var parts = new int[7];
        for (var index = 0; index < values.length; index++) {
            var part = Numbers.integer(values[index]);
            if (part < 0 || part >= DateTime.TICKS_PER_SECOND) {
                return JsonValue.UNDEFINED;
            }
            parts[index] = (int) part;
        }
        return print(DateTime.of(parts[0], parts[1], parts[2], parts[3], parts[4], parts[5], parts[6]));
    }

    private static JsonValue part(JsonValue name, JsonValue text) {
        var time = time(text);
        var unit = unit(name);
        return time.isPresent() && unit.isPresent() ? new Num(part(time.get(), unit.get())) : JsonValue.UNDEFINED;
    }

    private static int part(LocalDateTime time, ChronoUnit unit) {
        return switch (unit) {
            case YEARS -> time.getYear();
            case MONTHS -> time.getMonthValue();
            case DAYS -> time.getDayOfMonth();
            case HOURS -> time.getHour();
            case MINUTES -> time.getMinute();
            case SECONDS -> time.getSecond();
            case MILLIS -> time.getNano() / 1_000_000;
            case MICROS -> time.getNano() / 1_000;
            case NANOS -> time.getNano();
            default -> throw new IllegalStateException("Not the unit of a part of a time.");
        };
    }

    private static JsonValue fromTicks(JsonValue value, long ticksPerUnit) {
        try {
            return print(DateTime.ofTicks(Math.multiplyExact(Numbers.integer(value), ticksPerUnit)));
        } catch (ArithmeticException _) {
            return JsonValue.UNDEFINED;
        }
    }
}
