package dev.orrery.engine.resource;

import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.query.Continuation;
import dev.orrery.engine.query.Continuation.Purpose;
import dev.orrery.engine.query.PageFill;
import dev.orrery.engine.query.QueryBounds;
import dev.orrery.engine.query.QueryRequest;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.sql.Query;
import dev.orrery.sql.run.QueryInputs;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Lists of resources that describe, whole or filtered by a query, in pages. There are few of them: no index, no cursor. */
final class ResourceFeed {
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final RandomGenerator random;
    private final MemoryBudget memory;

    ResourceFeed(InstantSource clock, LongSupplier nanos, RandomGenerator random, MemoryBudget memory) {
        this.clock = clock;
        this.nanos = nanos;
        this.random = random;
        this.memory = memory;
    }

    Outcome list(ResourceKind kind, String ownerRid, List<Obj> resources, Page page, Facts facts) {
        try (var bounds = QueryBounds.startingNow(nanos, memory)) {
            return list(kind, ownerRid, resources, page, facts, bounds);
        }
    }

    private Outcome list(
            ResourceKind kind, String ownerRid, List<Obj> resources, Page page, Facts facts, QueryBounds bounds) {
        var from = from(page, Purpose.of(kind.segment(), ownerRid));
        var filling = new PageFill(page, nanos, bounds);
        boolean more = false;
        for (var resource : resources.subList((int) Math.min(from.rows(), resources.size()), resources.size())) {
            more = filling.isFull() || !filling.add(resource);
            if (more) {
                break;
            }
        }
        return page(kind, ownerRid, filling, more, from, facts);
    }

    Outcome query(ResourceKind kind, String ownerRid, List<Obj> resources, QueryText sent, Page page, Facts facts) {
        var request = QueryRequest.parse(sent);
        var from = from(page, request.purpose(kind.segment() + "/" + ownerRid));
        try (var bounds = QueryBounds.startingNow(nanos, memory)) {
            return query(kind, ownerRid, resources, request, from, page, facts, bounds);
        }
    }

    private Outcome query(
            ResourceKind kind,
            String ownerRid,
            List<Obj> resources,
            QueryRequest request,
            Continuation from,
            Page page,
            Facts facts,
            QueryBounds bounds) {
        var inputs = QueryInputs.of(request.parameters(), from.now(), random).withCheckpoint(bounds);
        var filling = new PageFill(page, nanos, bounds);
        var passed = new long[1];
        var more = new boolean[1];
        // One more than the page can hold tells whether there is another page.
        var run = Query.of(request.text()).runFirst(from.rows() + filling.rowsMax() + 1, inputs, row -> {
            if (passed[0]++ < from.rows()) {
                return true;
            }
            more[0] = filling.isFull() || !filling.add(row);
            return !more[0];
        });
        for (int number = 0; number < resources.size() && run.wantsItems(); number++) {
            run.add(resources.get(number), number);
        }
        run.finish();
        return page(kind, ownerRid, filling, more[0], from, facts);
    }

    private Continuation from(Page page, Purpose purpose) {
        return page.continuation()
                .map(token -> Continuation.decode(token, purpose))
                .orElseGet(() -> Continuation.start(purpose, clock.instant()));
    }

    private static Outcome page(
            ResourceKind kind, String ownerRid, PageFill page, boolean more, Continuation from, Facts facts) {
        Optional<String> next = more
                ? Optional.of(from.at(from.rows() + page.rows().size(), 0, new byte[0])
                        .encode())
                : Optional.empty();
        return new Outcome(
                new Answer.Feed(kind, ownerRid, page.rows()), Bill.METADATA, facts.withPage(next, Optional.empty()));
    }
}
