package dev.orrery.checker;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * All versions of some items in the order in which the database has settled them: those of one partition, or of one item, as its
 * change feed or a single writer knows them. A <em>place</em> is how many of them have happened, from none to all.
 */
public final class Log {
    private final List<Version> versions;
    private final Map<Version, Integer> indexes = new HashMap<>();

    public Log(List<Version> versions) {
        this.versions = List.copyOf(versions);
        for (int i = 0; i < versions.size(); i++) {
            if (indexes.put(versions.get(i), i) != null) {
                throw new IllegalArgumentException("a version is there twice: " + versions.get(i));
            }
        }
    }

    List<Version> versions() {
        return versions;
    }

    int size() {
        return versions.size();
    }

    /** The first place at which a version has happened. */
    OptionalInt placeOf(Version version) {
        var index = indexes.get(version);
        return index == null ? OptionalInt.empty() : OptionalInt.of(index + 1);
    }

    /** The places at which all items of a read have the values that it saw. */
    BitSet placesOf(Action.Read read) {
        var places = new BitSet();
        places.set(0, size() + 1);
        read.seen().forEach((key, value) -> places.and(placesOf(key, value)));
        return places;
    }

    private BitSet placesOf(String key, Optional<String> value) {
        var places = new BitSet();
        Optional<String> now = Optional.empty();
        for (int place = 0; place <= size(); place++) {
            if (place > 0 && versions.get(place - 1).key().equals(key)) {
                now = versions.get(place - 1).value();
            }
            places.set(place, now.equals(value));
        }
        return places;
    }
}
