package dev.orrery.gateway.direct;

import dev.orrery.engine.Database;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Owner;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.route.PercentCoding;
import dev.orrery.gateway.route.Route;
import dev.orrery.gateway.route.Route.Target;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells clients in Direct mode where the copies of ranges are. All of them are this process: four are told, because a
 * client that knows fewer asks again and again, and one of them takes the writes.
 *
 * @param route how the request is signed
 * @param container whose ranges are meant; the account for what describes
 * @param rangeIds as the client has them
 */
public record AddressFeed(Route route, Address container, List<String> rangeIds) {
    private static final int COPIES = 4;

    public AddressFeed {
        rangeIds = List.copyOf(rangeIds);
    }

    /**
     * Which port of which host serves Direct mode.
     *
     * @param host absent to tell clients the one that they have used
     */
    public record Endpoint(Optional<String> host, int port) {}

    /** The path {@code /addresses/} with {@code $resolveFor} and {@code $partitionKeyRangeIds} in its query. */
    public static AddressFeed read(HttpRequest request) {
        var parameters = parameters(request.rawQuery());
        var wanted = Optional.ofNullable(parameters.get("$resolveFor"))
                .orElseThrow(() -> bad("The addresses of what? The parameter $resolveFor is missing."));
        var route = Route.parse("/" + wanted);
        if (!(route.target() instanceof Target.Feed feed)) {
            throw bad("The parameter $resolveFor must name a list, such as dbs or dbs/d/colls/c/docs, not: " + wanted);
        }
        if (feed.parent().id(ResourceKind.CONTAINER).isEmpty()) {
            return new AddressFeed(route, Address.ACCOUNT, List.of());
        }
        var ids = Optional.ofNullable(parameters.get("$partitionKeyRangeIds")).orElse("");
        return new AddressFeed(route, feed.parent(), ids.isEmpty() ? List.of() : List.of(ids.split(",", -1)));
    }

    private static Map<String, String> parameters(String query) {
        var parameters = new HashMap<String, String>();
        for (var part : query.split("&", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parameters.put(
                        PercentCoding.decode(part.substring(0, equals)),
                        PercentCoding.decode(part.substring(equals + 1)));
            }
        }
        return parameters;
    }

    /** The document, in the spelling of the protocol, mistakes included. Ranges that are gone are left out. */
    public byte[] json(Database database, Caller caller, Endpoint endpoint, String hostUsed) {
        var host = endpoint.host().orElse(hostUsed);
        // The Java SDK takes no address with a bracket for a primary, and every machine has a name for this one.
        var place = (host.equals("[::1]") ? "localhost" : host) + ":" + endpoint.port();
        var addresses = new ArrayList<JsonValue>();
        if (container.isAccount()) {
            addCopies(addresses, place, ReplicaPath.ACCOUNT);
        }
        for (var id : rangeIds) {
            find(database, caller, id)
                    .ifPresent(owner -> addCopies(addresses, place, new ReplicaPath(owner.rid(), id, 1)));
        }
        return JsonWriter.bytes(Obj.builder()
                .put("_rid", "")
                .put("Addresss", new JsonValue.Arr(addresses))
                .put("_count", addresses.size())
                .build());
    }

    private Optional<Owner> find(Database database, Caller caller, String id) {
        var scope = new Scope(Optional.of(id), Optional.empty(), Optional.empty());
        var outcome = database.execute(new Operation.ReadProgress(container, scope), caller)
                .toCompletableFuture()
                .join();
        return switch (outcome.answer()) {
            case Answer.Refused(Failure.PartitionRangeGone _) -> Optional.empty();
            case Answer.Refused(var failure) -> throw new FailureException(failure);
            default -> outcome.facts().owner();
        };
    }

    private static void addCopies(List<JsonValue> addresses, String place, ReplicaPath first) {
        for (int number = 1; number <= COPIES; number++) {
            var path = new ReplicaPath(first.containerRid(), first.range(), number);
            addresses.add(Obj.builder()
                    .put("isPrimary", path.isPrimary())
                    .put("protocol", "rntbd")
                    .put("logicalUri", "rntbd://" + place + "/")
                    .put("physcialUri", "rntbd://" + place + path)
                    .put("partitionIndex", path.range() + "@" + path.range())
                    .put("partitionKeyRangeId", path.range())
                    .build());
        }
    }

    private static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
