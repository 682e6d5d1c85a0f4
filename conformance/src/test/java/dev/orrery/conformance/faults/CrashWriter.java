package dev.orrery.conformance.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One client that writes without pause to its own partition key, and remembers what it was promised. */
final class CrashWriter {
    private static final int BATCH_SIZE = 5;
    /** The value of an item that a change deletes. */
    private static final int DELETED = -1;

    private final String key;
    private final String docs;
    private final SplittableRandom random;

    /** What must be there: the value of every item by id. */
    private final Map<String, Integer> promised = new TreeMap<>();

    /** The request that was sent and not answered: it happened as a whole, or not at all. */
    private Map<String, Integer> inDoubt = Map.of();

    private int sequence;
    private String sessionToken = "";

    private CrashWriter(String key, String docs, long seed) {
        this.key = key;
        this.docs = docs;
        this.random = new SplittableRandom(seed);
    }

    static List<CrashWriter> many(int count, String docs, SplittableRandom random) {
        return IntStream.range(0, count)
                .mapToObj(i -> new CrashWriter("writer-" + i, docs, random.nextLong()))
                .toList();
    }

    String key() {
        return key;
    }

    int promisedCount() {
        return promised.size();
    }

    Optional<String> anyItem() {
        return promised.keySet().stream().findFirst();
    }

    /** The newest token the server gave to this client. */
    String sessionToken() {
        return sessionToken;
    }

    Map<String, String> headers() {
        return Map.of("x-ms-documentdb-partitionkey", "[\"" + key + "\"]");
    }

    String body(String id, int value) {
        return "{\"id\":\"%s\",\"pk\":\"%s\",\"value\":%d,\"unique\":\"%s\"}".formatted(id, key, value, id);
    }

    /** Writes until the server is gone; any refusal is a failure of the test. */
    void writeUntilTheServerDies(KeepAliveClient client, Runnable acknowledged) {
        while (true) {
            sequence++;
            inDoubt = nextChange();
            try {
                var reply = send(client, inDoubt);
                assertThat(reply.statusCode()).as(reply.body()).isIn(200, 201, 204);
                sessionToken = reply.headers().firstValue("x-ms-session-token").orElseThrow();
            } catch (IOException serverIsGone) {
                return;
            }
            apply(inDoubt);
            inDoubt = Map.of();
            acknowledged.run();
        }
    }

    /** Compares what the server has with what it promised, and goes on from what it has. */
    void check(Map<String, Integer> found) {
        var without = new TreeMap<>(promised);
        apply(inDoubt);
        assertThat(new TreeMap<>(found))
                .as("items of %s, without or with the unanswered %s", key, inDoubt)
                .isIn(without, promised);
        promised.clear();
        promised.putAll(found);
        inDoubt = Map.of();
    }

    /** The items that the next request changes, with their new values. */
    private Map<String, Integer> nextChange() {
        return switch (random.nextInt(4)) {
            case 0 -> Map.of("single-" + sequence, sequence);
            case 1 -> deletable().map(id -> Map.of(id, DELETED)).orElseGet(this::countUp);
            case 2 ->
                IntStream.range(0, BATCH_SIZE)
                        .boxed()
                        .collect(Collectors.toMap(i -> "batch-" + sequence + "-" + i, i -> sequence));
            default -> countUp();
        };
    }

    private Map<String, Integer> countUp() {
        return Map.of("counter", sequence);
    }

    private Optional<String> deletable() {
        var ids = new ArrayList<>(promised.keySet());
        return ids.isEmpty() ? Optional.empty() : Optional.of(ids.get(random.nextInt(ids.size())));
    }

    private HttpResponse<String> send(KeepAliveClient client, Map<String, Integer> change) throws IOException {
        var headers = new HashMap<>(headers());
        if (change.size() > 1) {
            headers.put("x-ms-cosmos-is-batch-request", "true");
            headers.put("x-ms-cosmos-batch-atomic", "true");
            return client.post(docs, headers, batchBody(change));
        }
        var only = change.entrySet().iterator().next();
        if (only.getValue() == DELETED) {
            return client.delete(docs + "/" + only.getKey(), headers);
        }
        headers.put("x-ms-documentdb-is-upsert", "true");
        return client.post(docs, headers, body(only.getKey(), only.getValue()));
    }

    private String batchBody(Map<String, Integer> change) {
        return change.entrySet().stream()
                .map(item ->
                        "{\"operationType\":\"Create\",\"resourceBody\":" + body(item.getKey(), item.getValue()) + "}")
                .collect(Collectors.joining(",", "[", "]"));
    }

    private void apply(Map<String, Integer> change) {
        change.forEach((id, value) -> {
            if (value == DELETED) {
                promised.remove(id);
            } else {
                promised.put(id, value);
            }
        });
    }
}
