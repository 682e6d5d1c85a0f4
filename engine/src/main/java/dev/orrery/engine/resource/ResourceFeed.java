package dev.orrery.engine.resource;

import dev.orrery.engine.budget.Charges;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.query.Continuation;
import dev.orrery.engine.query.QueryRequest;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.Query;
import dev.orrery.sql.run.QueryInputs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Lists of resources that describe, whole or filtered by a query, in pages. There are few of them: no index, no cursor. */
final class ResourceFeed {
    private ResourceFeed() {}

    static Outcome list(ResourceKind kind, String ownerRid, List<Obj> resources, Page page, Facts facts) {
        return page(kind, ownerRid, resources, page, Objects.hash(kind.segment(), ownerRid), facts);
    }

    static Outcome query(
            ResourceKind kind,
            String ownerRid,
            List<Obj> resources,
            QueryText sent,
            Page page,
            Function<Map<String, JsonValue>, QueryInputs> inputs,
            Facts facts) {
        var request = QueryRequest.parse(sent);
        var rows = new ArrayList<JsonValue>();
        var run = Query.of(request.text()).run(inputs.apply(request.parameters()), rows::add);
        for (int number = 0; number < resources.size() && run.wantsItems(); number++) {
            run.add(resources.get(number), number);
        }
        run.finish();
        int purpose = Objects.hash(kind.segment(), ownerRid, Arrays.hashCode(sent.body()));
        return page(kind, ownerRid, rows, page, purpose, facts);
    }

    private static Outcome page(
            ResourceKind kind, String ownerRid, List<? extends JsonValue> rows, Page page, int purpose, Facts facts) {
        long given = page.continuation()
                .map(token -> Continuation.decode(token, purpose).rows())
                .orElse(0L);
        int rowsMax = page.itemsMax().orElse(Limits.PAGE_ITEMS_DEFAULT);
        var onPage = rows.stream()
                .skip(given)
                .limit(rowsMax)
                .map(row -> ByteBuffer.wrap(JsonWriter.bytes(row)))
                .toList();
        long after = given + onPage.size();
        Optional<String> next = after < rows.size()
                ? Optional.of(new Continuation(purpose, after, 0, new byte[0]).encode())
                : Optional.empty();
        return new Outcome(
                new Answer.Feed(kind, ownerRid, onPage), Charges.metadata(), facts.withPage(next, Optional.empty()));
    }
}
