package dev.orrery.engine.resource;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Range;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.Outcome.Owner;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Rid;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import java.nio.ByteBuffer;
import java.util.Optional;

/** The ranges of a container as clients read them: all, or those that are new since a cursor. */
final class RangeFeed {
    private RangeFeed() {}

    static Outcome read(Container container, Optional<String> since) {
        var ranges = container.ranges();
        var etag = '"' + Long.toString(ranges.version()) + '"';
        var owner = new Owner(container.ownerPath(), container.rid().toString());
        var facts = Facts.ofResource(Optional.of(etag), Optional.of(owner));
        var changed = ranges.changedSince(since.map(RangeFeed::cursor).orElse(0L));
        if (changed.isEmpty()) {
            return new Outcome(new Answer.NotModified(), Bill.METADATA, facts);
        }
        double share = 1.0 / ranges.live().size();
        var rows = changed.stream()
                .map(range -> ByteBuffer.wrap(JsonWriter.bytes(json(container, range, share))))
                .toList();
        return new Outcome(
                new Answer.Feed(ResourceKind.PARTITION_RANGE, container.rid().toString(), rows), Bill.METADATA, facts);
    }

    /** A cursor that is not one of ours starts from the beginning. */
    private static long cursor(String etag) {
        try {
            return Long.parseLong(etag.replace("\"", ""));
        } catch (NumberFormatException foreign) {
            return 0;
        }
    }

    private static Obj json(Container container, Range range, double throughputShare) {
        var rid = Rid.partitionRange(container.rid(), range.id()).toString();
        return Obj.builder()
                .put("_rid", rid)
                .put("id", range.name())
                .put("_etag", "\"" + range.version() + "\"")
                .put("minInclusive", range.epks().min().hex())
                .put("maxExclusive", range.epks().max().hex())
                .put("ridPrefix", range.id())
                .put("_self", container.resource().self() + "pkranges/" + rid + "/")
                .put("throughputFraction", throughputShare)
                .put("status", "online")
                .put(
                        "parents",
                        JsonValue.strings(
                                range.parents().stream().map(String::valueOf).toList()))
                .put("ownedArchivalPKRangeIds", Arr.EMPTY)
                .put("_ts", (double) range.createdSecond())
                .put("lsn", (double) range.version())
                .build();
    }
}
