package dev.orrery.gateway.client;

import dev.orrery.gateway.http.HeaderJson;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Asks a server for the rows of a query, page by page. */
public final class QueryClient {
    /**
     * What to ask.
     *
     * @param parameters by name, each of which starts with {@code @}
     * @param partitionKey the components of the only partition key that is of interest
     */
    public record Question(
            String database,
            String container,
            String text,
            Map<String, JsonValue> parameters,
            Optional<Arr> partitionKey,
            boolean explain) {
        public Question {
            parameters = Map.copyOf(parameters);
        }
    }

    public sealed interface Reply {
        /** Some rows, and what they cost; the token asks for more if there are more. */
        record Page(
                List<JsonValue> rows,
                Optional<String> continuation,
                Cost cost,
                Optional<Obj> explanation,
                List<BillLine> bill)
                implements Reply {
            public Page {
                rows = List.copyOf(rows);
                bill = List.copyOf(bill);
            }
        }

        /** No rows; {@code mistake} when it is the text of the query that is wrong. */
        record Refused(int status, String message, Optional<Mistake> mistake) implements Reply {}
    }

    /** One kind of work that a page was charged for. */
    public record BillLine(String what, long count, long bytes, double requestUnits) {
        public BillLine plus(BillLine other) {
            return new BillLine(what, count + other.count, bytes + other.bytes, requestUnits + other.requestUnits);
        }
    }

    /** What a page took, as the server counted it. */
    public record Cost(double charge, long itemsRead, long bytesRead, double millis) {}

    /** Where a query text is wrong, as offsets of characters. */
    public record Mistake(int start, int end, String message) {}

    private static final String BILL = "x-orrery-charge-details";

    private final AccountClient account;

    public QueryClient(AccountClient account) {
        this.account = account;
    }

    public Reply ask(Question question, int rowsMax, Optional<String> continuation)
            throws IOException, InterruptedException {
        var headers = new HashMap<>(Map.of(
                "content-type", "application/query+json",
                "x-ms-documentdb-isquery", "true",
                "x-ms-documentdb-query-enablecrosspartition", "true",
                "x-ms-documentdb-populatequerymetrics", "true",
                "x-orrery-serve-raw-query", "true",
                "x-ms-max-item-count", Integer.toString(rowsMax)));
        continuation.ifPresent(token -> headers.put("x-ms-continuation", token));
        question.partitionKey().ifPresent(key -> headers.put("x-ms-documentdb-partitionkey", HeaderJson.text(key)));
        if (question.explain()) {
            headers.put("x-orrery-explain", "true");
            headers.put(BILL, "true");
        }
        var link = "dbs/" + question.database() + "/colls/" + question.container();
        var reply = account.send("POST", link, "docs", "docs", body(question), headers);
        return reply.statusCode() == 200 ? page(reply) : refused(reply);
    }

    private static byte[] body(Question question) {
        var parameters = question.parameters().entrySet().stream()
                .map(parameter -> (JsonValue) Obj.builder()
                        .put("name", parameter.getKey())
                        .put("value", parameter.getValue())
                        .build())
                .toList();
        return JsonWriter.bytes(Obj.builder()
                .put("query", question.text())
                .put("parameters", new Arr(parameters))
                .build());
    }

    private static Reply page(HttpResponse<byte[]> reply) {
        var rows =
                JsonReader.parse(reply.body()) instanceof Obj body && body.member("Documents") instanceof Arr(var all)
                        ? all
                        : List.<JsonValue>of();
        var metrics = reply.headers()
                .firstValue("x-ms-documentdb-query-metrics")
                .map(QueryClient::metrics)
                .orElse(Map.of());
        var cost = new Cost(
                reply.headers()
                        .firstValue("x-ms-request-charge")
                        .map(Double::parseDouble)
                        .orElse(0.0),
                metrics.getOrDefault("retrievedDocumentCount", 0.0).longValue(),
                metrics.getOrDefault("retrievedDocumentSize", 0.0).longValue(),
                metrics.getOrDefault("totalExecutionTimeInMs", 0.0));
        return new Reply.Page(
                rows,
                reply.headers().firstValue("x-ms-continuation"),
                cost,
                reply.headers().firstValue("x-orrery-explain").map(text -> (Obj) JsonReader.parse(text)),
                reply.headers().firstValue(BILL).map(QueryClient::bill).orElse(List.of()));
    }

    private static List<BillLine> bill(String header) {
        return JsonReader.parse(header) instanceof Obj bill && bill.member("items") instanceof Arr(var lines)
                ? lines.stream().map(line -> billLine((Obj) line)).toList()
                : List.of();
    }

    private static BillLine billLine(Obj line) {
        return new BillLine(
                line.member("what") instanceof Str(var what) ? what : "",
                (long) number(line, "count"),
                (long) number(line, "bytes"),
                number(line, "requestUnits"));
    }

    private static double number(Obj line, String name) {
        return line.member(name) instanceof Num(double value, var _) ? value : 0;
    }

    private static Map<String, Double> metrics(String header) {
        return Arrays.stream(header.split(";"))
                .map(part -> part.split("=", 2))
                .filter(part -> part.length == 2)
                .collect(Collectors.toMap(part -> part[0], part -> Double.parseDouble(part[1])));
    }

    private static Reply refused(HttpResponse<byte[]> reply) {
        var message = ReplyMessage.of(reply.body());
        return new Reply.Refused(reply.statusCode(), message, mistake(message));
    }

    private static Optional<Mistake> mistake(String message) {
        var intro = "Message: ";
        if (message.startsWith(intro)
                && JsonReader.parse(message.substring(intro.length())) instanceof Obj errors
                && errors.member("errors") instanceof Arr list
                && list.at(0) instanceof Obj first
                && first.member("message") instanceof Str(var words)
                && first.member("location") instanceof Obj location
                && location.member("start") instanceof Num(double start, var _)
                && location.member("end") instanceof Num(double end, var _)) {
            return Optional.of(new Mistake((int) start, (int) end, words));
        }
        return Optional.empty();
    }
}
