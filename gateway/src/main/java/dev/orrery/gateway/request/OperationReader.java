package dev.orrery.gateway.request;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.gateway.binaryjson.BinaryJson;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.route.Route;
import dev.orrery.gateway.route.Route.Target;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.OfferDefinition.Migration;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.key.PartitionKey;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Turns what a request addresses, its method, headers and body into the operation that it asks for. */
public final class OperationReader {
    /** Leaves it to the database how long a token is good for. */
    private static final int TOKEN_SECONDS_UNSTATED = 0;

    private static final String QUERY_CONTENT_TYPE = "application/query+json";

    private final HttpRequest request;
    private final TypedHeaders headers;
    private final byte[] body;

    private final boolean servesRawQueries;

    private OperationReader(HttpRequest request, TypedHeaders headers, boolean servesRawQueries) {
        this.request = request;
        this.headers = headers;
        this.servesRawQueries = servesRawQueries;
        this.body = BinaryJson.text(request.body());
    }

    /**
     * The operation that a request asks for.
     *
     * @param servesRawQueries whether clients that send a query without a plan want the whole result, even if they do not say
     *     so
     */
    public static Operation read(Route route, HttpRequest request, TypedHeaders headers, boolean servesRawQueries) {
        if (request.body().length > Limits.REQUEST_BYTES_MAX) {
            throw new FailureException(new Failure.TooLarge("The body of a request may have " + Limits.REQUEST_BYTES_MAX
                    + " bytes, this one has " + request.body().length + "."));
        }
        var reader = new OperationReader(request, headers, servesRawQueries);
        reader.allowOnly(route.target().methods().contains(request.method()));
        return reader.operation(route.target());
    }

    private Operation operation(Target target) {
        return switch (target) {
            case Target.Account _ ->
                new Operation.ReadResource(Address.ACCOUNT, Precondition.NONE, false, TOKEN_SECONDS_UNSTATED);
            case Target.PartitionDelete(var container) -> new Operation.DeletePartition(container, partitionRequired());
            case Target.Changes _, Target.Addresses _ ->
                throw new IllegalStateException("streams and addresses are read elsewhere");
            case Target.Feed(var kind, var parent) ->
                switch (request.method()) {
                    case "POST" -> post(kind, parent);
                    case "HEAD" -> new Operation.ReadProgress(Address.ACCOUNT, Scope.ALL);
                    default -> list(kind, parent);
                };
            case Target.Single(var address) ->
                address.last().kind() == ResourceKind.ITEM ? item(address) : resource(address);
        };
    }

    // ---- feeds ----

    private Operation list(ResourceKind kind, Address parent) {
        return switch (kind) {
            case ITEM -> listItems(parent);
            case PARTITION_RANGE -> new Operation.ReadRanges(parent, rangesSince());
            case DATABASE,
                    CONTAINER,
                    USER,
                    PERMISSION,
                    CLIENT_ENCRYPTION_KEY,
                    OFFER,
                    CONFLICT,
                    STORED_PROCEDURE,
                    TRIGGER,
                    USER_DEFINED_FUNCTION -> new Operation.ListResources(kind, parent, page());
            case ATTACHMENT -> throw unsupported(kind);
        };
    }

    private Operation listItems(Address container) {
        var changes = ChangesReader.find(headers);
        if (changes.isPresent()) {
            return new Operation.ReadChanges(container, scope(), changes.get(), page().itemsMax());
        }
        return new Operation.ListItems(container, scope(), page());
    }

    /** Without the header that asks for changes, an etag would mean a copy of the whole list, which nobody keeps. */
    private Optional<String> rangesSince() {
        return headers.text("a-im").isPresent() ? headers.text("if-none-match") : Optional.empty();
    }

    private Operation post(ResourceKind kind, Address parent) {
        return switch (kind) {
            case ITEM -> postItems(parent);
            case DATABASE,
                    CONTAINER,
                    USER,
                    PERMISSION,
                    CLIENT_ENCRYPTION_KEY,
                    STORED_PROCEDURE,
                    TRIGGER,
                    USER_DEFINED_FUNCTION -> isQuery() ? queryResources(kind, parent) : createResource(kind, parent);
            case OFFER, CONFLICT -> {
                allowOnly(isQuery());
                yield queryResources(kind, parent);
            }
            case PARTITION_RANGE -> throw notAllowed();
            case ATTACHMENT -> throw unsupported(kind);
        };
    }

    private Operation postItems(Address container) {
        if (headers.isTrue("x-ms-cosmos-is-query-plan-request")) {
            return new Operation.PlanQuery(
                    container, partition(), query(), headers.list("x-ms-cosmos-supported-query-features"));
        }
        if (headers.isTrue("x-ms-cosmos-is-batch-request")) {
            return new Operation.Batch(
                    container,
                    scope(),
                    batchItems(),
                    headers.isTrue("x-ms-cosmos-batch-atomic"),
                    headers.isTrue("x-ms-cosmos-batch-continue-on-error"));
        }
        if (isQuery()) {
            var scope = scope();
            return new Operation.QueryItems(container, scope, query(), page(), queryWishes(scope));
        }
        return write(
                container,
                isUpsert() ? new ItemWrite.Upsert(body, precondition()) : new ItemWrite.Create(body, precondition()));
    }

    private List<BatchItem> batchItems() {
        var items = BatchReader.read(body);
        return ReplyWish.MINIMAL.isIn(headers)
                ? items.stream().map(BatchItem::answeredMinimally).toList()
                : items;
    }

    private Operation queryResources(ResourceKind kind, Address parent) {
        return new Operation.QueryResources(kind, parent, query(), page());
    }

    private Operation createResource(ResourceKind kind, Address parent) {
        var definition = kind == ResourceKind.CONTAINER
                        && headers.text("x-ms-version").filter(OldVersion::is).isPresent()
                ? OldVersion.container(body)
                : body;
        return new Operation.CreateResource(kind, parent, definition, isUpsert(), throughput(), tokenSeconds(kind));
    }

    // ---- single resources ----

    private Operation item(Address address) {
        var container = address.parent();
        var id = address.last().id();
        return switch (request.method()) {
            case "GET" -> new Operation.ReadItem(container, id, partition(), precondition());
            case "PUT" -> write(container, new ItemWrite.Replace(id, body, precondition()));
            case "PATCH" -> write(container, new ItemWrite.Patch(id, patch(), precondition()));
            case "DELETE" -> write(container, new ItemWrite.Delete(id, precondition()));
            default -> throw notAllowed();
        };
    }

    private Operation write(Address container, ItemWrite write) {
        return new Operation.WriteItem(container, partition(), write, triggers(), Directives.read(headers));
    }

    private Operation resource(Address address) {
        var kind = address.last().kind();
        return switch (kind) {
            case DATABASE,
                    CONTAINER,
                    USER,
                    PERMISSION,
                    CLIENT_ENCRYPTION_KEY,
                    OFFER,
                    CONFLICT,
                    STORED_PROCEDURE,
                    TRIGGER,
                    USER_DEFINED_FUNCTION -> resource(address, kind);
            case ATTACHMENT -> throw unsupported(kind);
            case ITEM, PARTITION_RANGE -> throw new IllegalStateException("these kinds are read elsewhere");
        };
    }

    private Operation resource(Address address, ResourceKind kind) {
        return switch (request.method()) {
            case "GET" ->
                new Operation.ReadResource(
                        address,
                        precondition(),
                        headers.isTrue("x-ms-documentdb-populatequotainfo"),
                        tokenSeconds(kind));
            case "PUT" -> new Operation.ReplaceResource(address, body, precondition(), migration(), tokenSeconds(kind));
            case "DELETE" -> new Operation.DeleteResource(address, precondition());
            case "HEAD" -> new Operation.ReadProgress(address, scope());
            case "POST" ->
                new Operation.ExecuteProcedure(
                        address.parent(),
                        address.last().id(),
                        partition(),
                        body,
                        headers.isTrue("x-ms-documentdb-script-enable-logging"));
            default -> throw notAllowed();
        };
    }

    // ---- parts of operations ----

    private boolean isQuery() {
        return headers.isTrue("x-ms-documentdb-isquery")
                || headers.text("content-type")
                        .filter(type -> type.regionMatches(true, 0, QUERY_CONTENT_TYPE, 0, QUERY_CONTENT_TYPE.length()))
                        .isPresent();
    }

    private Set<QueryWish> queryWishes(Scope scope) {
        var wishes = EnumSet.noneOf(QueryWish.class);
        if (ReplyWish.EXPLANATION.isIn(headers)
                || ReplyWish.INDEX_METRICS.isIn(headers)
                || ReplyWish.CLASSIC_INDEX_METRICS.isIn(headers)) {
            wishes.add(QueryWish.EXPLANATION);
        }
        if (headers.isTrue("x-ms-cosmos-populatequeryadvice")) {
            wishes.add(QueryWish.ADVICE);
        }
        if (servesRawQueries || headers.isTrue("x-orrery-serve-raw-query")) {
            wishes.add(QueryWish.WHOLE_RESULT);
        } else if (scope.equals(Scope.ALL) && !headers.isTrue("x-ms-documentdb-query-enablecrosspartition")) {
            wishes.add(QueryWish.ONE_PARTITION);
        }
        return wishes;
    }

    private QueryText query() {
        return new QueryText(body);
    }

    private boolean isUpsert() {
        return headers.isTrue("x-ms-documentdb-is-upsert");
    }

    private Precondition precondition() {
        var ifMatch = headers.text("if-match");
        var ifNoneMatch = headers.text("if-none-match");
        return ifMatch.isEmpty() && ifNoneMatch.isEmpty() ? Precondition.NONE : new Precondition(ifMatch, ifNoneMatch);
    }

    /** A page size of -1 leaves the choice to the server, and so does 0, which the Java SDK sends for TOP 0. */
    private Page page() {
        var itemsMax = headers.number("x-ms-max-item-count", -1).filter(count -> count > 0);
        return new Page(itemsMax, headers.text("x-ms-continuation"));
    }

    private Scope scope() {
        return new Scope(rangeId(), partition(), epkRange());
    }

    /** Either the id alone, or the rid of the container, a comma and the id. */
    private Optional<String> rangeId() {
        return headers.text("x-ms-documentdb-partitionkeyrangeid")
                .map(value -> value.substring(value.lastIndexOf(',') + 1).strip());
    }

    private Optional<PartitionKey> partition() {
        return headers.text("x-ms-documentdb-partitionkey").map(PartitionKey::parse);
    }

    private PartitionKey partitionRequired() {
        return partition().orElseThrow(() -> bad("The header x-ms-documentdb-partitionkey is missing."));
    }

    /** The lowest key is the empty string, which as a header value looks like an absent one. */
    private Optional<EpkRange> epkRange() {
        var start = headers.text("x-ms-start-epk");
        var end = headers.text("x-ms-end-epk");
        if (start.isEmpty() && end.isEmpty()) {
            return Optional.empty();
        }
        var range = EpkRange.parse(start.orElse(""), end.orElse("FF"));
        if (range.min().compareTo(range.max()) > 0) {
            throw bad("The header x-ms-start-epk must not be greater than x-ms-end-epk.");
        }
        return Optional.of(range);
    }

    private Triggers triggers() {
        var before = headers.list("x-ms-documentdb-pre-trigger-include");
        var after = headers.list("x-ms-documentdb-post-trigger-include");
        return before.isEmpty() && after.isEmpty() ? Triggers.NONE : new Triggers(before, after);
    }

    private JsonPatch patch() {
        return JsonPatch.parse(JsonReader.parse(body));
    }

    private Optional<Throughput> throughput() {
        Optional<Throughput> manual = headers.number("x-ms-offer-throughput", 0).map(Throughput.Manual::new);
        Optional<Throughput> autoscale =
                headers.text("x-ms-cosmos-offer-autopilot-settings").map(OperationReader::autoscale);
        if (manual.isPresent() && autoscale.isPresent()) {
            throw bad("The headers x-ms-offer-throughput and x-ms-cosmos-offer-autopilot-settings exclude each other.");
        }
        return manual.or(() -> autoscale);
    }

    private static Throughput autoscale(String json) {
        if (JsonReader.parse(json) instanceof JsonValue.Obj settings) {
            return Throughput.Autoscale.parse(settings);
        }
        throw bad("The header x-ms-cosmos-offer-autopilot-settings must be a JSON object.");
    }

    private Migration migration() {
        if (headers.isTrue("x-ms-cosmos-migrate-offer-to-autopilot")) {
            return Migration.TO_AUTOSCALE;
        }
        return headers.isTrue("x-ms-cosmos-migrate-offer-to-manual-throughput") ? Migration.TO_MANUAL : Migration.NONE;
    }

    private int tokenSeconds(ResourceKind kind) {
        return kind == ResourceKind.PERMISSION
                ? headers.number("x-ms-documentdb-expiry-seconds", 1).orElse(TOKEN_SECONDS_UNSTATED)
                : TOKEN_SECONDS_UNSTATED;
    }

    // ---- refusals ----

    private void allowOnly(boolean condition) {
        if (!condition) {
            throw notAllowed();
        }
    }

    private FailureException notAllowed() {
        return new FailureException(new Failure.MethodNotAllowed(
                "The method " + request.method() + " is not allowed for this address, or not with these headers."));
    }

    private static FailureException unsupported(ResourceKind kind) {
        return new FailureException(new Failure.Unsupported(kind.feedName() + " are not supported yet."));
    }

    private static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
