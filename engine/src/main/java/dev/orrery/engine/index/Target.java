package dev.orrery.engine.index;

import dev.orrery.engine.key.IndexKey;
import dev.orrery.engine.key.ValueBytes;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.plan.Condition.Span;
import java.util.Arrays;

/** The bytes of a stretch of values, from some (inclusive) to others (exclusive). */
@SuppressWarnings("ArrayRecordComponent") // A carrier; nobody compares it.
record Target(byte[] from, byte[] to) {

    static Target of(Span span) {
        return switch (span) {
            case Span.Exactly(var value) -> startingWith(ValueBytes.encode(value));
            case Span.StartingWith(var text) -> startingWith(ValueBytes.stringsFrom(text));
            case Span.Kind(var example) -> new Target(ValueBytes.kindStart(example), ValueBytes.kindEnd(example));
            case Span.Between(var low, var high) -> {
                var example = low.or(() -> high).orElseThrow().value();
                // Others with the bytes of a rough value may be on either side of it, so they all count in.
                var first = low.map(end -> bound(end.value(), !end.inclusive() && !ValueBytes.isRough(end.value())))
                        .orElseGet(() -> ValueBytes.kindStart(example));
                var behind = high.map(end -> bound(end.value(), end.inclusive() || ValueBytes.isRough(end.value())))
                        .orElseGet(() -> ValueBytes.kindEnd(example));
                yield new Target(first, Arrays.compareUnsigned(first, behind) < 0 ? behind : first);
            }
        };
    }

    private static Target startingWith(byte[] bytes) {
        return new Target(bytes, IndexKey.after(bytes));
    }

    /** Before or behind all entries of a value. */
    private static byte[] bound(JsonValue value, boolean behind) {
        var bytes = ValueBytes.encode(value);
        return behind ? IndexKey.after(bytes) : bytes;
    }

    /** The same values where they are written in the opposite order. */
    Target inverted() {
        return Arrays.equals(from, to)
                ? this
                : new Target(IndexKey.after(IndexKey.inverted(to)), IndexKey.after(IndexKey.inverted(from)));
    }

    Target behind(byte[] prefix) {
        return new Target(joined(prefix, from), joined(prefix, to));
    }

    private static byte[] joined(byte[] one, byte[] other) {
        var joined = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, joined, one.length, other.length);
        return joined;
    }
}
