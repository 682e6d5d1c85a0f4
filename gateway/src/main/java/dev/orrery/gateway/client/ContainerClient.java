package dev.orrery.gateway.client;

import dev.orrery.gateway.http.HeaderJson;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.key.PartitionKey;
import dev.orrery.model.key.PartitionKeyDefinition;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks for one container, and writes many of its items with one request. */
public final class ContainerClient {
    /** What a container is like, and how many items it has. */
    public record Description(PartitionKeyDefinition partitionKey, long items) {}

    /** One of the parts that a container's keys are cut into. */
    public record Range(String id, EpkRange span) {}

    /** An item to be written; an upsert replaces one that is there, otherwise that is a conflict. */
    @SuppressWarnings("ArrayRecordComponent") // Carried, never compared.
    public record Write(boolean upsert, PartitionKey partitionKey, byte[] item) {}

    /** What has become of one item. */
    public record Result(int status, String message, long retryAfterMillis) {}

    public sealed interface Reply {
        /** One result for each item, in the order of the request. */
        record Done(List<Result> results) implements Reply {
            public Done {
                results = List.copyOf(results);
            }
        }

        /** No item was looked at. */
        record Refused(int status, String message, long retryAfterMillis) implements Reply {}
    }

    /** The server refused what cannot be done without. */
    public static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1L;
        private final int status;

        RefusedException(int status, String message) {
            super(message);
            this.status = status;
        }

        public int status() {
            return status;
        }
    }

    /** What a batch adds to an item and its key: names, quotes, and the escapes of the key's quotes. */
    public static final int WRITE_OVERHEAD_BYTES = 128;

    private static final Map<String, String> BATCH = Map.of(
            "x-ms-cosmos-is-batch-request", "true",
            "x-ms-cosmos-batch-atomic", "false",
            "x-ms-cosmos-batch-continue-on-error", "true");

    private final AccountClient account;
    private final String link;

    public ContainerClient(AccountClient account, String database, String container) {
        this.account = account;
        this.link = "dbs/" + database + "/colls/" + container;
    }

    public Description describe() throws IOException, InterruptedException, RefusedException {
        var reply = account.send(
                "GET", link, "", "colls", new byte[0], Map.of("x-ms-documentdb-populatequotainfo", "true"));
        var definition = (Obj) JsonReader.parse(accepted(reply).body());
        return new Description(
                PartitionKeyDefinition.parse(definition.member("partitionKey")),
                reply.headers()
                        .firstValue("x-ms-resource-usage")
                        .map(ContainerClient::itemCount)
                        .orElse(0L));
    }

    private static long itemCount(String usage) {
        var name = "documentsCount=";
        return Arrays.stream(usage.split(";"))
                .filter(part -> part.startsWith(name))
                .mapToLong(part -> Long.parseLong(part.substring(name.length())))
                .findFirst()
                .orElse(0);
    }

    /** The ranges in the order of their keys. */
    public List<Range> ranges() throws IOException, InterruptedException, RefusedException {
        var ranges = new ArrayList<Range>();
        Optional<String> continuation = Optional.empty();
        do {
            var headers = continuation
                    .map(token -> Map.of("x-ms-continuation", token))
                    .orElse(Map.of());
            var reply = accepted(account.send("GET", link, "pkranges", "pkranges", new byte[0], headers));
            if (JsonReader.parse(reply.body()) instanceof Obj body
                    && body.member("PartitionKeyRanges") instanceof Arr(var rows)) {
                rows.forEach(row -> ranges.add(range((Obj) row)));
            }
            continuation = reply.headers().firstValue("x-ms-continuation");
        } while (continuation.isPresent());
        ranges.sort((one, other) -> one.span().min().compareTo(other.span().min()));
        return ranges;
    }

    private static Range range(Obj row) {
        return new Range(text(row, "id"), EpkRange.parse(text(row, "minInclusive"), text(row, "maxExclusive")));
    }

    /** Writes items that all belong to one range; each of them succeeds or fails on its own. */
    public Reply write(String rangeId, List<Write> writes) throws IOException, InterruptedException {
        var headers = new HashMap<>(BATCH);
        headers.put("x-ms-documentdb-partitionkeyrangeid", rangeId);
        var reply = account.send("POST", link, "docs", "docs", body(writes), headers);
        int status = reply.statusCode();
        if ((status == 200 || status == 207)
                && JsonReader.parse(reply.body()) instanceof Arr(var rows)
                && rows.size() == writes.size()) {
            return new Reply.Done(rows.stream().map(row -> result((Obj) row)).toList());
        }
        return refused(reply);
    }

    private static byte[] body(List<Write> writes) {
        var out = new JsonWriter(bytes(writes)).raw("[");
        var separator = "{\"operationType\":\"";
        for (var write : writes) {
            out.raw(separator)
                    .raw(write.upsert() ? "Upsert" : "Create")
                    .raw("\",\"partitionKey\":")
                    .string(write.partitionKey().header())
                    .raw(",\"minimalReturnPreference\":true,\"resourceBody\":")
                    .raw(write.item(), 0, write.item().length)
                    .raw("}");
            separator = ",{\"operationType\":\"";
        }
        return out.raw("]").toBytes();
    }

    private static int bytes(List<Write> writes) {
        return writes.stream()
                .mapToInt(write -> write.item().length + WRITE_OVERHEAD_BYTES)
                .sum();
    }

    private static Result result(Obj row) {
        return new Result(
                (int) number(row, "statusCode"),
                row.member("message") instanceof Str(var message) ? message : "",
                (long) number(row, "retryAfterMilliseconds"));
    }

    /** Writes one item with a request of its own, which may be larger than its part of a batch. */
    public Reply writeAlone(Write write) throws IOException, InterruptedException {
        var headers = Map.of(
                "content-type",
                "application/json",
                "prefer",
                "return=minimal",
                "x-ms-documentdb-is-upsert",
                Boolean.toString(write.upsert()),
                "x-ms-documentdb-partitionkey",
                header(write.partitionKey()));
        var reply = account.send("POST", link, "docs", "docs", write.item(), headers);
        return switch (reply.statusCode()) {
            case 200, 201 -> new Reply.Done(List.of(new Result(reply.statusCode(), "", 0)));
            default -> {
                var refused = refused(reply);
                yield new Reply.Done(
                        List.of(new Result(refused.status(), refused.message(), refused.retryAfterMillis())));
            }
        };
    }

    /** An item as it is stored, or nothing when there is none. */
    public Optional<Obj> find(String id, PartitionKey partitionKey)
            throws IOException, InterruptedException, RefusedException {
        var headers = Map.of("x-ms-documentdb-partitionkey", header(partitionKey));
        var reply = account.send("GET", link + "/docs/" + id, "", "docs", new byte[0], headers);
        return reply.statusCode() == 404
                ? Optional.empty()
                : Optional.of((Obj) JsonReader.parse(accepted(reply).body()));
    }

    private static String header(PartitionKey key) {
        return HeaderJson.text(JsonReader.parse(key.header()));
    }

    private static HttpResponse<byte[]> accepted(HttpResponse<byte[]> reply) throws RefusedException {
        if (reply.statusCode() != 200) {
            throw new RefusedException(reply.statusCode(), ReplyMessage.of(reply.body()));
        }
        return reply;
    }

    private static Reply.Refused refused(HttpResponse<byte[]> reply) {
        return new Reply.Refused(
                reply.statusCode(),
                ReplyMessage.of(reply.body()),
                reply.headers()
                        .firstValue("x-ms-retry-after-ms")
                        .map(Long::parseLong)
                        .orElse(0L));
    }

    private static String text(Obj row, String name) {
        return row.member(name) instanceof Str(var text) ? text : "";
    }

    private static double number(Obj row, String name) {
        return switch (row.member(name)) {
            case Num(double number, var _) -> number;
            case JsonValue.Undefined _, JsonValue.Null _, Bool _, Str _, Arr _, Obj _ -> 0;
        };
    }
}
