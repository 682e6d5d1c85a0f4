package dev.orrery.gateway;

import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.gateway.reply.Exchange;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;

/**
 * That somebody changed, or tried to change, what describes the data: databases, containers, scripts, users, permissions,
 * throughput. To read a permission counts as well, since its token comes with it; so does a command to the server, and a
 * request of somebody who was not let in.
 *
 * @param by what the request was proved with, such as {@code primary key}
 * @param from the address of the client
 * @param resource where it lies, such as {@code dbs/shop/colls/orders}
 */
public record AuditEntry(
        String by, String from, String agent, String operation, String resource, int status, String activityId) {

    private static final String COMMAND = "Command";
    private static final String REFUSED = "Refused";
    private static final int PATH_CHARACTERS_MAX = 1_000;
    private static final Set<Integer> NOT_LET_IN = Set.of(401, 403, 421);

    static Optional<AuditEntry> of(Exchange exchange, int status) {
        var operation = exchange.operation();
        if (operation.isPresent()) {
            return resource(operation.get())
                    .map(resource -> of(exchange, OperationNames.of(operation.get()), resource, status));
        }
        return NOT_LET_IN.contains(status)
                ? Optional.of(of(exchange, REFUSED, path(exchange), status))
                : Optional.empty();
    }

    /** That somebody had the server do something that is no part of the protocol, such as a backup. */
    static AuditEntry ofCommand(Exchange exchange, int status) {
        return of(exchange, COMMAND, path(exchange), status);
    }

    private static AuditEntry of(Exchange exchange, String operation, String resource, int status) {
        var request = exchange.request();
        return new AuditEntry(
                exchange.by(),
                request.remote().toString(),
                request.header("user-agent").orElse(""),
                operation,
                resource,
                status,
                exchange.activityId());
    }

    /** Of somebody who may not be known, and so may be as long as a head may be. */
    private static String path(Exchange exchange) {
        var path = exchange.request().rawPath();
        return path.substring(0, Math.min(path.length(), PATH_CHARACTERS_MAX));
    }

    /** Whether it tells of somebody who was not let in; whoever reaches the port can make any number of them. */
    public boolean isRefusal() {
        return operation.equals(REFUSED);
    }

    private static Optional<String> resource(Operation operation) {
        return switch (operation) {
            case Operation.CreateResource create ->
                Optional.of((create.parent().isAccount() ? "" : create.parent() + "/")
                        + create.kind().segment() + "/" + id(create.body()));
            case Operation.ReplaceResource replace ->
                Optional.of(replace.address().toString());
            case Operation.DeleteResource delete -> Optional.of(delete.address().toString());
            case Operation.ReadResource read ->
                read.address().isAccount() || read.address().last().kind() != ResourceKind.PERMISSION
                        ? Optional.empty()
                        : Optional.of(read.address().toString());
            case Operation.ListResources list ->
                list.kind() == ResourceKind.PERMISSION ? Optional.of(list.about() + "/permissions") : Optional.empty();
            case Operation.QueryResources query ->
                query.kind() == ResourceKind.PERMISSION
                        ? Optional.of(query.about() + "/permissions")
                        : Optional.empty();
            case Operation.ReadRanges _,
                    Operation.ReadProgress _,
                    Operation.ReadItem _,
                    Operation.WriteItem _,
                    Operation.ExecuteProcedure _,
                    Operation.DeletePartition _,
                    Operation.ListItems _,
                    Operation.ReadChanges _,
                    Operation.QueryItems _,
                    Operation.PlanQuery _,
                    Operation.Batch _ -> Optional.empty();
        };
    }

    /** What is to be made has its id in the body, which may be anything. */
    private static String id(byte[] body) {
        try {
            return JsonReader.parse(new String(body, StandardCharsets.UTF_8)) instanceof Obj definition
                            && definition.member("id") instanceof Str(var id)
                    ? id
                    : "";
        } catch (FailureException _) {
            return "";
        }
    }
}
