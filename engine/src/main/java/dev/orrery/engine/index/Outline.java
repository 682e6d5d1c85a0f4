package dev.orrery.engine.index;

import dev.orrery.model.definition.IndexPath.Step;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where an item has something: of each indexed place that no array leads to, whether a single value, an array or an
 * object is there. Items of one type usually share one outline, so a few outlines tell which items have nothing at a
 * place, which no entry of the place itself could.
 *
 * <p>Layout: {@code format:1 | (place:8 | thing:1)..}, by ascending place.
 *
 * @param things by the number of their place
 */
record Outline(Map<Long, Thing> things) {
    /** The number that stands for the outline of items without entries. */
    static final long UNINDEXED = 0;

    private static final byte FORMAT = 1;
    private static final int THING_BYTES = 9;

    /** Beyond this an object is rather a map, whose keys are different in every item. */
    static final int MEMBERS_MAX = 64;

    static final int DEPTH_MAX = 4;

    /** Codes are on disk: append only. */
    enum Thing {
        SINGLE(0),
        ARRAY(1),
        OBJECT(2),
        /** An object whose members are not listed. */
        CLOSED_OBJECT(3);

        private final int code;

        Thing(int code) {
            this.code = code;
        }

        private static Thing of(int code) {
            for (var thing : values()) {
                if (thing.code == code) {
                    return thing;
                }
            }
            throw new IllegalStateException("An outline has the unknown thing " + code);
        }
    }

    /** What is at a place of an item that has this outline. */
    Presence at(List<Step> place) {
        if (things.get(Place.ROOT) == Thing.CLOSED_OBJECT) {
            return Presence.UNKNOWN;
        }
        long number = Place.ROOT;
        for (int i = 0; i < place.size(); i++) {
            number = Place.of(place.subList(0, i + 1));
            var thing = things.get(number);
            if (thing == null) {
                return Presence.NOTHING;
            }
            boolean last = i == place.size() - 1;
            switch (thing) {
                case SINGLE -> {
                    return last ? Presence.SINGLE : Presence.NOTHING;
                }
                case ARRAY -> {
                    return last ? Presence.ARRAY : Presence.NOTHING;
                }
                case OBJECT -> {
                    if (last) {
                        return Presence.OBJECT;
                    }
                }
                case CLOSED_OBJECT -> {
                    return last ? Presence.OBJECT : Presence.UNKNOWN;
                }
            }
        }
        throw new IllegalArgumentException("The item itself is always there");
    }

    enum Presence {
        NOTHING,
        SINGLE,
        ARRAY,
        OBJECT,
        UNKNOWN
    }

    long number() {
        long number = Place.ROOT;
        for (var thing : things.entrySet()) {
            number = Place.sequence(number, thing.getKey(), thing.getValue().code);
        }
        return number;
    }

    byte[] encode() {
        var bytes = ByteBuffer.allocate(1 + things.size() * THING_BYTES).put(FORMAT);
        things.forEach((place, thing) -> bytes.putLong(place).put((byte) thing.code));
        return bytes.array();
    }

    static Outline decode(byte[] bytes) {
        if (bytes[0] != FORMAT) {
            throw new IllegalStateException("An outline has the unknown format " + bytes[0]);
        }
        var things = new TreeMap<Long, Thing>();
        for (var reader = ByteBuffer.wrap(bytes, 1, bytes.length - 1); reader.hasRemaining(); ) {
            long place = reader.getLong();
            things.put(place, Thing.of(reader.get()));
        }
        return new Outline(things);
    }
}
