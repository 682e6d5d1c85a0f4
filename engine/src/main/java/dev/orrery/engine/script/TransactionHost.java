package dev.orrery.engine.script;

import dev.orrery.engine.budget.Prices;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.item.Transaction;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation.IndexingDirective;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.ListItems;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryItems;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.operation.Outcome.Usage;
import dev.orrery.engine.query.Feeds;
import dev.orrery.engine.query.Queries;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.Rid;
import dev.orrery.model.WireStatus;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Carries out what a script asks for within its transaction. Reads by link see what the script has written. Queries and
 * feeds do not, but leave out what it has deleted: scripts delete what a query finds until it finds nothing.
 */
final class TransactionHost implements ScriptHost {
    private final Transaction transaction;
    private final Queries queries;
    private final Feeds feeds;
    private final LongSupplier nanos;
    private long acceptingUntilNanos;
    private final Caller caller;
    private final Prices prices;
    private final List<Bill> bills = new ArrayList<>();

    /** @param caller whoever runs the script; what it may touch is the transaction's business */
    TransactionHost(
            Transaction transaction, Queries queries, Feeds feeds, Prices prices, LongSupplier nanos, Caller caller) {
        this.transaction = transaction;
        this.prices = prices;
        this.caller = Caller.owner().paying(caller);
        this.queries = queries;
        this.feeds = feeds;
        this.nanos = nanos;
    }

    @Override
    public void begin() {
        acceptingUntilNanos = nanos.getAsLong() + Limits.SCRIPT_ACCEPTING_MILLIS * 1_000_000L;
    }

    /** The price of everything that was done. */
    Bill bill() {
        return Bill.sum(bills);
    }

    @Override
    public String selfLink() {
        return transaction.container().resource().self();
    }

    @Override
    public String altLink() {
        return transaction.container().ownerPath();
    }

    @Override
    public String partitionKeyDefinition() {
        return JsonWriter.text(transaction.container().resource().json().member("partitionKey"));
    }

    @Override
    public String quota() {
        return Usage.QUOTA;
    }

    @Override
    public String usage() {
        try (var view = transaction.snapshot().view()) {
            return new Usage(view.state().items(), view.state().itemBytes(), Optional.empty()).text();
        }
    }

    @Override
    public Optional<Reply> perform(Operation operation) {
        boolean accepted = nanos.getAsLong() - acceptingUntilNanos < 0
                && transaction.bytesWritten() < Limits.SCRIPT_WRITES_BYTES_MAX;
        return accepted ? Optional.of(carryOut(operation)) : Optional.empty();
    }

    private Reply carryOut(Operation operation) {
        try {
            return answer(operation);
        } catch (FailureException refused) {
            return refused(refused.failure());
        }
    }

    private Reply answer(Operation operation) {
        return switch (operation) {
            case Operation.Read(var link, var ifNoneMatch) ->
                reply(transaction.read(id(link), new Precondition(Optional.empty(), etag(ifNoneMatch)), caller));
            case Operation.List(int pageSize, var continuation) ->
                feed(feeds.seeing(transaction.snapshot())
                        .list(
                                transaction.container(),
                                new ListItems(Address.ACCOUNT, scope(), page(pageSize, continuation)),
                                caller));
            case Operation.Query(var query, int pageSize, var continuation) ->
                feed(queries.seeing(transaction.snapshot())
                        .run(
                                transaction.container(),
                                new QueryItems(
                                        Address.ACCOUNT,
                                        scope(),
                                        new QueryText(bytes(query)),
                                        page(pageSize, continuation),
                                        Set.of()),
                                caller));
            case Operation.Create(var body) ->
                reply(transaction.write(
                        new ItemWrite.Create(bytes(body), Precondition.NONE), IndexingDirective.DEFAULT));
            case Operation.Upsert(var body, var ifMatch) ->
                reply(transaction.write(
                        new ItemWrite.Upsert(bytes(body), matching(ifMatch)), IndexingDirective.DEFAULT));
            case Operation.Replace(var link, var body, var ifMatch) ->
                reply(transaction.write(
                        new ItemWrite.Replace(id(link), bytes(body), matching(ifMatch)), IndexingDirective.DEFAULT));
            case Operation.Patch(var link, var patch, var ifMatch) ->
                reply(transaction.write(
                        new ItemWrite.Patch(
                                id(link), JsonPatch.parse(JsonReader.parse(bytes(patch))), matching(ifMatch)),
                        IndexingDirective.DEFAULT));
            case Operation.Delete(var link, var ifMatch) ->
                reply(transaction.write(new ItemWrite.Delete(id(link), matching(ifMatch)), IndexingDirective.DEFAULT));
            case Operation.Attachment _ ->
                throw new FailureException(new Failure.BadRequest("Attachments are not supported."));
        };
    }

    // ---- what scripts say ----

    private String id(DocumentLink link) {
        if (!link.byRid()) {
            return link.name();
        }
        return Rid.find(link.name())
                .flatMap(transaction::findId)
                .orElseThrow(() -> new FailureException(new Failure.NotFound(
                        "An item with the resource id '" + link.name() + "' does not exist in this partition.")));
    }

    private static Precondition matching(String etag) {
        return etag.isEmpty() ? Precondition.NONE : new Precondition(Optional.of(etag), Optional.empty());
    }

    private static Optional<String> etag(String text) {
        return Optional.of(text).filter(some -> !some.isEmpty());
    }

    private Scope scope() {
        return new Scope(Optional.empty(), Optional.of(transaction.partition().key()), Optional.empty());
    }

    private static Page page(int pageSize, String continuation) {
        return new Page(
                Optional.of(pageSize).filter(size -> size > 0).map(size -> Math.min(size, Limits.PAGE_ITEMS_DEFAULT)),
                Optional.of(continuation).filter(token -> !token.isEmpty()));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // ---- what they are told ----

    private Reply reply(BatchResult result) {
        bills.add(result.bill());
        return switch (result.answer()) {
            case Answer.Resource(var change, var json) ->
                new Reply(
                        change == Outcome.Change.CREATED ? 201 : 200,
                        text(json),
                        "",
                        result.etag().orElse(""),
                        result.charge());
            case Answer.NotModified _ -> new Reply(304, "", "", result.etag().orElse(""), result.charge());
            case Answer.Deleted _ -> new Reply(204, "", "", "", result.charge());
            case Answer.Refused(var failure) -> refused(failure);
            case Answer.Account _, Answer.Feed _, Answer.Batch _, Answer.Plan _, Answer.Executed _, Answer.Progress _ ->
                throw new IllegalStateException("no answer to a single item");
        };
    }

    private Reply feed(Outcome outcome) {
        bills.add(outcome.bill());
        var rows = ((Answer.Feed) outcome.answer()).rows();
        return new Reply(200, array(rows), outcome.facts().continuation().orElse(""), "", outcome.charge());
    }

    private static String array(List<ByteBuffer> rows) {
        var text = new StringBuilder("[");
        for (var row : rows) {
            if (text.length() > 1) {
                text.append(',');
            }
            text.append(text(row));
        }
        return text.append(']').toString();
    }

    private Reply refused(Failure failure) {
        var status = WireStatus.of(failure);
        var bill = prices.attempt();
        bills.add(bill);
        return new Reply(status.status(), failure.message(), "", "", bill.requestUnits());
    }

    private static String text(ByteBuffer json) {
        return StandardCharsets.UTF_8.decode(json.duplicate()).toString();
    }
}
