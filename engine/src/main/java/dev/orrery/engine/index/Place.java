package dev.orrery.engine.index;

import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonValue;
import java.util.List;

/**
 * The number of a place inside items, such as {@code /address/city} or {@code /tags/[]}: a hash of the way there, 64 bits
 * wide because two places of a container must never share one. Numbers are on disk.
 */
public final class Place {
    /** The item itself. */
    public static final long ROOT = 0x6f72_7265_7279_0001L;

    private static final long STEP = 0x9e37_79b9_7f4a_7c15L;
    private static final int PROPERTY = 1;
    private static final int ELEMENTS = 2;

    private Place() {}

    public static long property(long place, String name) {
        long hash = mixed(place ^ PROPERTY);
        for (int i = 0; i < name.length(); i++) {
            hash = (hash ^ name.charAt(i)) * STEP;
            hash ^= hash >>> 32;
        }
        return mixed(hash ^ name.length());
    }

    /** All elements of the array at a place. */
    public static long elements(long place) {
        return mixed(place ^ ELEMENTS);
    }

    public static long of(List<Step> steps) {
        long place = ROOT;
        for (var step : steps) {
            place = switch (step) {
                case Step.Property(var name) -> property(place, name);
                case Step.AnyPosition _, Step.Position _ -> elements(place);
                case Step.Tuple _ -> throw new IllegalArgumentException("A tuple is no place");
            };
        }
        return place;
    }

    /** The value that a way leads to which does not go through all elements of an array; undefined when there is none. */
    static JsonValue in(JsonValue item, List<Step> steps) {
        var value = item;
        for (var step : steps) {
            value = switch (step) {
                case Step.Property(var name) ->
                    value instanceof JsonValue.Obj object ? object.member(name) : JsonValue.UNDEFINED;
                case Step.Position(int index) ->
                    value instanceof JsonValue.Arr array ? array.at(index) : JsonValue.UNDEFINED;
                case Step.AnyPosition _, Step.Tuple _ ->
                    throw new IllegalArgumentException("More than one value is there");
            };
        }
        return value;
    }

    /** The number of several things in a row. */
    static long sequence(long... parts) {
        long hash = ROOT;
        for (long part : parts) {
            hash = mixed(hash ^ part);
        }
        return hash;
    }

    /** Spreads every bit over all others; the constants are those of the finalizer of MurmurHash3. */
    private static long mixed(long bits) {
        long hash = bits;
        hash = (hash ^ hash >>> 33) * 0xff51_afd7_ed55_8ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ce_b9fe_1a85_ec53L;
        return hash ^ hash >>> 33;
    }
}
