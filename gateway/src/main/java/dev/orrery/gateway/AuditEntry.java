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

/**
 * That somebody changed, or tried to change, what describes the data: databases, containers, scripts, users, permissions,
 * throughput. To read a permission counts as well, since its token comes with it.
 *
 * @param by what the request was proved with, such as {@code primary key}
 * @param from the address of the client
 * @param resource where it lies, such as {@code dbs/shop/colls/orders}
 */
public record AuditEntry(
        String by, String from, String agent, String operation, String resource, int status, String activityId) {

    static Optional<AuditEntry> of(Exchange exchange, int status) {
        return exchange.operation().flatMap(AuditEntry::resource).map(resource -> {
            var request = exchange.request();
            return new AuditEntry(
                    exchange.by(),
                    request.remote().toString(),
                    request.header("user-agent").orElse(""),
                    OperationNames.of(exchange.operation().orElseThrow()),
                    resource,
                    status,
                    exchange.activityId());
        });
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
