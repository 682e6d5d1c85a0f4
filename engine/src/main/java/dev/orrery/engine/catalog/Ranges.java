package dev.orrery.engine.catalog;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.key.PartitionKeyDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How the key space of a container is cut: its ranges in ascending order, without gap or overlap.
 *
 * @param version goes up with every change, and is the cursor of clients that follow changes
 * @param nextId the id that the next new range gets
 */
public record Ranges(List<Range> live, long version, int nextId) {

    public Ranges {
        live = live.stream()
                .sorted(Comparator.comparing(range -> range.epks().min()))
                .toList();
    }

    /** Cuts the whole key space evenly. */
    public static Ranges evenly(int count, PartitionKeyDefinition definition, long nowSecond) {
        var parts = EpkRange.ALL.split(count, definition);
        var live = new ArrayList<Range>(count);
        for (int id = 0; id < count; id++) {
            live.add(new Range(id, parts.get(id), List.of(), 1, nowSecond));
        }
        return new Ranges(live, 1, count);
    }

    public Range of(EffectivePartitionKey epk) {
        int low = 0;
        int high = live.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (live.get(middle).epks().min().compareTo(epk) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return live.get(low);
    }

    public Range resolve(String name) {
        return live.stream()
                .filter(range -> range.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new FailureException(new Failure.PartitionRangeGone(
                        "Partition key range " + name + " is gone. Read the container's ranges again.")));
    }

    public List<Range> overlapping(EpkRange epks) {
        return live.stream().filter(range -> range.epks().overlaps(epks)).toList();
    }

    public List<Range> changedSince(long cursor) {
        return live.stream().filter(range -> range.version() > cursor).toList();
    }

    /** The one to split next: all began equally wide, and every split halves. */
    public Range widest() {
        return live.stream()
                .min(Comparator.comparingInt(range -> range.parents().size()))
                .orElseThrow();
    }

    /** The two halves that take the place of a range. */
    public List<Range> halves(Range parent, PartitionKeyDefinition definition, long nowSecond) {
        var parents = new ArrayList<>(parent.parents());
        parents.add(parent.id());
        var parts = parent.epks().split(2, definition);
        return List.of(
                new Range(nextId, parts.get(0), parents, version + 1, nowSecond),
                new Range(nextId + 1, parts.get(1), parents, version + 1, nowSecond));
    }

    public Ranges replace(Range parent, List<Range> children) {
        var remaining = new ArrayList<>(live);
        remaining.remove(parent);
        remaining.addAll(children);
        return new Ranges(remaining, version + 1, nextId + children.size());
    }

    Obj toJson() {
        return Obj.builder()
                .put("version", (double) version)
                .put("nextId", nextId)
                .put("live", new Arr(live.stream().map(Ranges::toJson).toList()))
                .build();
    }

    static Ranges parse(Obj json) {
        var live = ((Arr) json.member("live"))
                .items().stream().map(range -> parseRange((Obj) range)).toList();
        return new Ranges(live, number(json, "version"), (int) number(json, "nextId"));
    }

    private static JsonValue toJson(Range range) {
        return Obj.builder()
                .put("id", range.id())
                .put("min", range.epks().min().hex())
                .put("max", range.epks().max().hex())
                .put(
                        "parents",
                        new Arr(range.parents().stream()
                                .<JsonValue>map(Num::new)
                                .toList()))
                .put("version", (double) range.version())
                .put("created", (double) range.createdSecond())
                .build();
    }

    private static Range parseRange(Obj json) {
        var parents = ((Arr) json.member("parents"))
                .items().stream().map(parent -> (int) ((Num) parent).value()).toList();
        return new Range(
                (int) number(json, "id"),
                EpkRange.parse(text(json, "min"), text(json, "max")),
                parents,
                number(json, "version"),
                number(json, "created"));
    }

    private static long number(Obj json, String name) {
        return (long) ((Num) json.member(name)).value();
    }

    private static String text(Obj json, String name) {
        return ((Str) json.member(name)).value();
    }
}
