package dev.orrery.bench.script;

import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.CreateSystem;
import dev.orrery.bench.harness.Exchange;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Requests;
import dev.orrery.bench.harness.SampleItem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.regex.Pattern;

/** Comments on posts, made in one of several ways: the command C3 of a blogging platform. */
final class Comments implements CreateSystem {
    /** The stored procedure of each container. */
    static final String PROCEDURE = "createComment";

    private static final String DATABASE_LINK = "dbs/blog";
    private static final int CONTENT_CHARACTERS = 1_400;
    private static final int PRECONDITION_FAILED = 412;
    private static final Pattern COUNT = Pattern.compile("(?<=\"commentCount\":)\\d+");
    private static final Pattern ETAG = Pattern.compile("\"_etag\":\"\\\\\"([^\"\\\\]*)\\\\\"\"");
    private static final Pattern ONLY_NUMBER = Pattern.compile("\"Documents\":\\s*\\[\\s*(\\d+)\\s*]");

    /** How a comment is made. */
    enum Way {
        PROCEDURE(Comments.PROCEDURE),
        OPERATIONS("three operations"),
        CREATE("plain create");

        private final String title;

        Way(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        boolean counts() {
            return this != CREATE;
        }
    }

    private final HttpContender orrery;
    private final Requests requests;
    private final String container;
    private final Way way;
    private final int posts;
    private final AtomicInteger clients = new AtomicInteger();
    private final LongAdder made = new LongAdder();

    /** @param posts among which clients are spread */
    Comments(HttpContender orrery, String container, Way way, int posts) {
        this.orrery = orrery;
        this.requests = new Requests(orrery.plain(), orrery.key());
        this.container = container;
        this.way = way;
        this.posts = posts;
    }

    @Override
    public String name() {
        return way.title();
    }

    Way way() {
        return way;
    }

    private String containerLink() {
        return DATABASE_LINK + "/colls/" + container;
    }

    static void prepareDatabase(HttpContender orrery) {
        var requests = new Requests(orrery.plain(), orrery.key());
        Exchange.demand(orrery.plain(), requests.post("dbs", "", "", "{\"id\":\"blog\"}"));
    }

    @Override
    public void prepareCreates() {
        try (var connection = new KeepAliveConnection(orrery.plain())) {
            connection.demand(requests.post(
                    "colls",
                    DATABASE_LINK,
                    "",
                    "{\"id\":\"" + container + "\",\"partitionKey\":{\"paths\":[\"/postId\"],\"kind\":\"Hash\","
                            + "\"version\":2}}"));
            for (int post = 0; post < posts; post++) {
                connection.demand(requests.post("docs", containerLink(), Requests.partitionKey(id(post)), post(post)));
            }
            createProcedure(connection, PROCEDURE);
        }
    }

    /** Of a text that nobody has seen before. */
    void createProcedure(KeepAliveConnection connection, String id) {
        var text = text() + "// " + id;
        var body = text.replace("\"", "\\\"").replace("\n", "\\n");
        connection.demand(
                requests.post("sprocs", containerLink(), "", "{\"id\":\"" + id + "\",\"body\":\"" + body + "\"}"));
    }

    private static String text() {
        try (var in = Comments.class.getResourceAsStream(PROCEDURE + ".js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Adds a comment to the first post. */
    void call(KeepAliveConnection connection, String procedure, long number) {
        call(connection, procedure, id(0), number);
        made.increment();
    }

    private void call(KeepAliveConnection connection, String procedure, String post, long number) {
        connection.demand(requests.execute(
                containerLink() + "/sprocs/" + procedure, post, "[\"" + post + "\"," + comment(post, number) + "]"));
    }

    @Override
    public Creator openCreator() {
        var connection = new KeepAliveConnection(orrery.plain());
        var post = id(clients.getAndIncrement() % posts);
        return new Creator() {
            @Override
            public void create(long number) {
                switch (way) {
                    case PROCEDURE -> call(connection, PROCEDURE, post, number);
                    case OPERATIONS -> {
                        count(connection, post);
                        createItem(connection, post, number);
                    }
                    case CREATE -> createItem(connection, post, number);
                }
                made.increment();
            }

            @Override
            public void close() {
                connection.close();
            }
        };
    }

    private void createItem(KeepAliveConnection connection, String post, long number) {
        connection.demand(requests.post("docs", containerLink(), Requests.partitionKey(post), comment(post, number)));
    }

    /** Read and replace, again and again until nobody else has changed the post in between. */
    private void count(KeepAliveConnection connection, String post) {
        int status;
        do {
            var read = connection
                    .demand(requests.readItem(containerLink(), post, post))
                    .body();
            var more = COUNT.matcher(read).replaceFirst(found -> Long.toString(Long.parseLong(found.group()) + 1));
            status = connection
                    .send(requests.replaceItem(containerLink(), post, post, etag(read), more))
                    .status();
        } while (status == PRECONDITION_FAILED);
        if (status != 200) {
            throw new BenchException("A post could not be replaced: " + status);
        }
    }

    private static String etag(String item) {
        var found = ETAG.matcher(item);
        if (!found.find()) {
            throw new BenchException("An item has no etag: " + item);
        }
        return "\"" + found.group(1) + "\"";
    }

    /** Fails when a comment is missing, or when a post counts others than there are. */
    void check() {
        try (var connection = new KeepAliveConnection(orrery.plain())) {
            long all = 0;
            for (int post = 0; post < posts; post++) {
                long comments = number(connection, post, "SELECT VALUE COUNT(1) FROM c WHERE c.type = 'comment'");
                long counted = number(connection, post, "SELECT VALUE c.commentCount FROM c WHERE c.type = 'post'");
                if (way.counts() && counted != comments) {
                    throw new BenchException(
                            "%s: a post has %d comments and counts %d.".formatted(name(), comments, counted));
                }
                all += comments;
            }
            if (all != made.sum()) {
                throw new BenchException("%s: %d comments were made, %d are there.".formatted(name(), made.sum(), all));
            }
        }
    }

    private long number(KeepAliveConnection connection, int post, String query) {
        var headers = Requests.partitionKey(id(post))
                + "Content-Type: application/query+json\r\nx-ms-documentdb-isquery: True\r\n";
        var reply = connection.demand(
                requests.post("docs", containerLink(), headers, "{\"query\":\"" + query + "\",\"parameters\":[]}"));
        var found = ONLY_NUMBER.matcher(reply.body());
        if (!found.find()) {
            throw new BenchException("A number is missing in " + reply.body());
        }
        return Long.parseLong(found.group(1));
    }

    @Override
    public Optional<Duration> cpu() {
        return orrery.server().cpu();
    }

    // ---- items, as large as those that the published charges of such a platform tell of ----

    private static String id(int post) {
        return "post-" + post;
    }

    private static String post(int number) {
        return "{\"id\":\"" + id(number) + "\",\"type\":\"post\",\"postId\":\"" + id(number)
                + "\",\"userId\":\"user-17\",\"userUsername\":\"ada\",\"title\":\"On engines\",\"content\":\""
                + "p".repeat(CONTENT_CHARACTERS)
                + "\",\"commentCount\":0,\"likeCount\":0,\"creationDate\":\"2026-03-14T15:09:26.535Z\"}";
    }

    private static String comment(String post, long number) {
        return "{\"id\":\"" + SampleItem.id(number) + "\",\"type\":\"comment\",\"postId\":\"" + post
                + "\",\"userId\":\"user-4217\",\"userUsername\":\"charles\",\"content\":\""
                + "c".repeat(CONTENT_CHARACTERS) + "\",\"creationDate\":\"2026-03-14T15:09:26.535Z\"}";
    }
}
