package dev.orrery.gateway.direct;

import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.operation.IndexMetrics;
import dev.orrery.engine.operation.IndexMetrics.Impact;
import dev.orrery.engine.operation.IndexMetrics.Indexes;
import dev.orrery.engine.operation.IndexMetrics.Single;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Access;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.operation.Outcome.Change;
import dev.orrery.engine.operation.Outcome.Explanation;
import dev.orrery.engine.operation.Outcome.Extent;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.Outcome.IndexUse;
import dev.orrery.engine.operation.Outcome.Offer;
import dev.orrery.engine.operation.Outcome.Owner;
import dev.orrery.engine.operation.Outcome.QueryMetrics;
import dev.orrery.engine.operation.Outcome.ScriptCounts;
import dev.orrery.engine.operation.Outcome.Usage;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.Failure.Shortage;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Everything that can come of an operation, with all facts that a reply may tell, and with none. */
final class SampleOutcomes {
    private static final Bill BILL = Bill.of(Effort.ITEM_READ, 2.83);

    private SampleOutcomes() {}

    static List<Outcome> of(Operation operation) {
        var outcomes = new ArrayList<Outcome>();
        for (var facts : List.of(allFacts(), Facts.NONE)) {
            answers(operation).forEach(answer -> outcomes.add(new Outcome(answer, BILL, facts)));
            failures().forEach(failure -> outcomes.add(Outcome.refused(failure, BILL, facts)));
        }
        return outcomes;
    }

    private static List<Answer> answers(Operation operation) {
        if (operation instanceof Operation.Batch batch) {
            return List.of(batch(batch, new Answer.Deleted()), batch(batch, refused()));
        }
        return List.of(
                new Answer.Resource(Change.READ, json("{\"id\":\"ü\"}")),
                new Answer.Resource(Change.CREATED, json("{\"id\":\"ü\"}")),
                new Answer.Resource(Change.REPLACED, json("{\"id\":\"ü\"}")),
                new Answer.Deleted(),
                new Answer.NotModified(),
                new Answer.Progress(),
                new Answer.Feed(ResourceKind.ITEM, "AQIDBIAAAAE=", List.of(json("{\"id\":\"ü\"}"), json("7"))),
                new Answer.Feed(ResourceKind.ITEM, "AQIDBIAAAAE=", List.of()),
                new Answer.Plan("{}".getBytes(StandardCharsets.UTF_8)),
                new Answer.Executed("[1]".getBytes(StandardCharsets.UTF_8), Optional.of("says ü\nand more")));
    }

    private static Answer batch(Operation.Batch batch, Answer each) {
        return new Answer.Batch(batch.items().stream()
                .map(_ -> new BatchResult(each, BILL, Optional.of("\"e1\"")))
                .toList());
    }

    private static Answer refused() {
        return new Answer.Refused(new Failure.Conflict("taken"));
    }

    private static ByteBuffer json(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** One of every kind, and of every shortage. */
    static List<Failure> failures() {
        var failures = new ArrayList<Failure>(List.of(
                new Failure.BadRequest("m"),
                new Failure.PartitionKeyMismatch("m"),
                new Failure.CrossPartitionQuery("m", "{\"plan\":1}"),
                new Failure.CrossPartitionDisabled("m"),
                new Failure.IntendedContainerMismatch("m"),
                new Failure.QuerySyntax("m", "SC1001", 3, 4),
                new Failure.ScriptFailed("m", 4711, ""),
                new Failure.ScriptSyntax("m"),
                new Failure.Unauthorized("m"),
                new Failure.Forbidden("m"),
                new Failure.WriteForbidden("m"),
                new Failure.PartitionFull("m"),
                new Failure.NotFound("m"),
                new Failure.SessionNotAvailable("m"),
                new Failure.OwnerNotFound("m"),
                new Failure.MethodNotAllowed("m"),
                new Failure.Timeout("m"),
                new Failure.Conflict("m"),
                new Failure.PartitionRangeGone("m"),
                new Failure.Gone("m"),
                new Failure.PreconditionFailed("m"),
                new Failure.TooLarge("m"),
                new Failure.Misdirected("m"),
                new Failure.FailedDependency("m"),
                new Failure.TooCostly("m"),
                new Failure.RetryWith("m"),
                new Failure.Unsupported("m"),
                new Failure.Unavailable("m"),
                new Failure.Internal("m")));
        Arrays.stream(Shortage.values()).forEach(shortage -> failures.add(new Failure.Throttled(shortage, "m", 40)));
        return failures;
    }

    private static Facts allFacts() {
        var none = new Indexes(List.of(), List.of());
        var used = new Indexes(List.of(new Single("/a/?", Impact.HIGH)), List.of());
        var explanation = new Explanation(
                Access.INDEX,
                1,
                1,
                3,
                true,
                List.of("sort"),
                new IndexUse(List.of("/a/? = 1"), 7, List.of("hint"), new IndexMetrics(used, none)));
        var metrics = new QueryMetrics(
                10, 2000, 5, 1000, 3_456_789, 456_789, true, Optional.of(explanation), List.of("QA1000"));
        return Facts.ofRange(
                        new Owner("dbs/d/colls/ü", "AQIDBIAAAAE="),
                        "0",
                        "0:-1#12",
                        12,
                        Optional.of("\"e1\""),
                        Optional.of(11L))
                .withPage(Optional.of("next"), Optional.of(metrics))
                .withOffer(new Offer(400, true))
                .withExtent(new Extent(
                        Optional.of(new Usage(20, 1025, Optional.of(new ScriptCounts(1, 2, 3)))), Optional.of(100)));
    }
}
