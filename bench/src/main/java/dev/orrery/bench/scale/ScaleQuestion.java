package dev.orrery.bench.scale;

import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Requests;
import dev.orrery.bench.harness.SampleItem;
import dev.orrery.bench.harness.ScaleItems;
import dev.orrery.bench.harness.ScaleLoad;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/** What is asked of containers of all sizes; each time about other items, and each answer has the same size. */
enum ScaleQuestion {
    READ("point read", "\"rank\":\\d+") {
        @Override
        byte[] request(Requests requests, ScaleItems items, RandomGenerator random) {
            long number = random.nextLong(items.count());
            return requests.readItem(LINK, SampleItem.id(number), items.customer(number));
        }
    },
    EQUALITY("equality, 10 items", "\"_count\":\\s*" + ScaleItems.PER_GROUP + "\\b") {
        @Override
        byte[] request(Requests requests, ScaleItems items, RandomGenerator random) {
            var group = ScaleItems.group(random.nextLong(items.count()));
            return query(requests, "SELECT * FROM c WHERE c[\\\"group\\\"] = @value", "\"" + group + "\"");
        }
    },
    TOP("range, ORDER BY, TOP 10", "\"_count\":\\s*10\\b") {
        @Override
        byte[] request(Requests requests, ScaleItems items, RandomGenerator random) {
            long least = random.nextLong(items.count() - ScaleItems.PER_GROUP);
            return query(
                    requests, "SELECT TOP 10 * FROM c WHERE c.rank >= @value ORDER BY c.rank", Long.toString(least));
        }
    },
    COUNT("COUNT of 100 items", "\"Documents\":\\s*\\[\\s*" + ScaleItems.PER_BUCKET + "\\s*]") {
        @Override
        byte[] request(Requests requests, ScaleItems items, RandomGenerator random) {
            long bucket = ScaleItems.bucket(random.nextLong(items.count()));
            return query(requests, "SELECT VALUE COUNT(1) FROM c WHERE c.bucket = @value", Long.toString(bucket));
        }
    };

    private static final String LINK = ScaleLoad.CONTAINER_LINK;

    private static final String HEADERS = String.join(
            "\r\n",
            "Content-Type: application/query+json",
            "x-ms-documentdb-isquery: True",
            "x-ms-documentdb-query-enablecrosspartition: True",
            "x-orrery-serve-raw-query: True",
            "");

    private final String title;
    private final Pattern answer;

    ScaleQuestion(String title, String answer) {
        this.title = title;
        this.answer = Pattern.compile(answer);
    }

    String title() {
        return title;
    }

    abstract byte[] request(Requests requests, ScaleItems items, RandomGenerator random);

    /** A wrong answer would be quick to give, and its time worth nothing. */
    void check(KeepAliveConnection.Reply reply) {
        if (reply.more() || !answer.matcher(reply.body()).find()) {
            throw new BenchException("The answer to '" + title + "' is not the whole truth: "
                    + reply.body().substring(0, Math.min(500, reply.body().length())));
        }
    }

    private static byte[] query(Requests requests, String text, String value) {
        return requests.post(
                "docs",
                LINK,
                HEADERS,
                "{\"query\":\"" + text + "\",\"parameters\":[{\"name\":\"@value\",\"value\":" + value + "}]}");
    }
}
