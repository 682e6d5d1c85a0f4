package dev.orrery.engine.resource;

import dev.orrery.engine.budget.Bill;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.query.Continuation;
import dev.orrery.engine.query.QueryBounds;
import dev.orrery.engine.query.QueryRequest;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.Query;
import dev.orrery.sql.run.QueryInputs;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** Lists of resources that describe, whole or filtered by a query, in pages. There are few of them: no index, no cursor. */
final class ResourceFeed {
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final RandomGenerator random;

    ResourceFeed(InstantSource clock, LongSupplier nanos, RandomGenerator random) {
        this.clock = clock;
        this.nanos = nanos;
        this.random = random;
    }

    Outcome list(ResourceKind kind, String ownerRid, List<Obj> resources, Page page, Facts facts) {
        var from = from(page, Continuation.purpose(kind.segment(), ownerRid));
        var rest =
                resources.stream().skip(from.rows()).limit(rowsMax(page) + 1L).toList();
        return page(kind, ownerRid, rest, page, from, facts);
    }

    Outcome query(ResourceKind kind, String ownerRid, List<Obj> resources, QueryText sent, Page page, Facts facts) {
        var request = QueryRequest.parse(sent);
        var from = from(page, request.purpose(kind.segment() + "/" + ownerRid));
        var inputs =
                QueryInputs.of(request.parameters(), from.now(), random).withCheckpoint(QueryBounds.startingNow(nanos));
        var rows = new ArrayList<JsonValue>();
        var passed = new long[1];
        // One more than the page can hold tells whether there is another page.
        var run = Query.of(request.text()).runFirst(from.rows() + rowsMax(page) + 1, inputs, row -> {
            if (passed[0]++ >= from.rows()) {
                rows.add(row);
            }
            return rows.size() <= rowsMax(page);
        });
        for (int number = 0; number < resources.size() && run.wantsItems(); number++) {
            run.add(resources.get(number), number);
        }
        run.finish();
        return page(kind, ownerRid, rows, page, from, facts);
    }

    private Continuation from(Page page, int purpose) {
        return page.continuation()
                .map(token -> Continuation.decode(token, purpose))
                .orElseGet(() -> Continuation.start(purpose, clock.instant()));
    }

    private static int rowsMax(Page page) {
        return page.itemsMax().orElse(Limits.PAGE_ITEMS_DEFAULT);
    }

    private static Outcome page(
            ResourceKind kind,
            String ownerRid,
            List<? extends JsonValue> rows,
            Page page,
            Continuation from,
            Facts facts) {
        var onPage = rows.stream()
                .limit(rowsMax(page))
                .map(row -> ByteBuffer.wrap(JsonWriter.bytes(row)))
                .toList();
        Optional<String> next = onPage.size() < rows.size()
                ? Optional.of(
                        from.at(from.rows() + onPage.size(), 0, new byte[0]).encode())
                : Optional.empty();
        return new Outcome(
                new Answer.Feed(kind, ownerRid, onPage), Bill.METADATA, facts.withPage(next, Optional.empty()));
    }
}
