package dev.orrery.engine.advice;

import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which values a property is asked for, as long as they are few. */
final class Values {
    private static final int CALLS_PER_KIND = 4;

    private final Map<JsonValue, Share> shares = new LinkedHashMap<>();
    private boolean many;
    private long calls;
    private long wanted;

    /** What was asked for one value. */
    record Share(long calls, double charge) {
        Share plus(long more, double units) {
            return new Share(calls + more, charge + units);
        }
    }

    /** Notes a request for one value, or for any of a list. */
    void add(List<JsonValue> list, boolean call, double charge) {
        if (call) {
            calls++;
            wanted += list.size();
        }
        list.forEach(value -> add(value, call ? 1 : 0, charge / list.size()));
    }

    private void add(JsonValue value, int one, double charge) {
        if (many) {
            return;
        }
        var known = shares.get(value);
        if (known == null && (shares.size() == Limits.ADVICE_VALUES_MAX || isLong(value))) {
            many = true;
            shares.clear();
        } else {
            shares.put(value, (known == null ? new Share(0, 0) : known).plus(one, charge));
        }
    }

    private static boolean isLong(JsonValue value) {
        return value instanceof JsonValue.Str(var text) && text.length() > Limits.ADVICE_ID_CHARACTERS_MAX;
    }

    /**
     * What was seen.
     *
     * @param wanted how many values calls asked for together: one each, or a list
     * @param many whether there are so many values that they were not kept
     */
    record Figures(long calls, long wanted, boolean many, Map<JsonValue, Share> shares) {
        Figures {
            shares = Map.copyOf(shares);
        }

        /** How many there are; more than anybody could have counted when they were not kept. */
        int distinct() {
            return many ? Integer.MAX_VALUE : shares.size();
        }

        /** How many a call asks for. */
        double perCall() {
            return calls == 0 ? 1 : (double) wanted / calls;
        }

        boolean hasLists() {
            return wanted > calls;
        }

        /** Whether the same few values come again and again, as those do that tell kinds of items apart. */
        boolean isKind() {
            return !many && calls >= (long) shares.size() * CALLS_PER_KIND;
        }

        Figures plus(Figures other) {
            var both = new HashMap<>(shares);
            other.shares.forEach((value, share) ->
                    both.merge(value, share, (known, more) -> known.plus(more.calls(), more.charge())));
            return new Figures(
                    calls + other.calls,
                    wanted + other.wanted,
                    many || other.many || both.size() > Limits.ADVICE_VALUES_MAX,
                    both);
        }
    }

    Figures figures() {
        return new Figures(calls, wanted, many, shares);
    }
}
