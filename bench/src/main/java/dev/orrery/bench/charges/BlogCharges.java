package dev.orrery.bench.charges;

import dev.orrery.bench.harness.LocalEngine;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryItems;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.PartitionKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Has the engine do the ten requests of the blogging platform in its three data models, with items as the published
 * figures suggest them, and tells what work that was.
 */
final class BlogCharges implements AutoCloseable {
    /**
     * What the reference does not tell, chosen so that its figures can be met.
     *
     * @param commentLetters length of the content of a comment
     * @param postLetters length of the content of a post
     * @param summaryLetters how much of it lists show
     * @param partitions physical partitions of the container of posts
     * @param feedPage posts that each of them gives for the front page
     * @param recentComments comments of a post on the front page, on average
     * @param recentLikes likes of it
     */
    record Unknowns(
            int commentLetters,
            int postLetters,
            int summaryLetters,
            int partitions,
            int feedPage,
            int recentComments,
            int recentLikes) {
        static final Unknowns CHOSEN = new Unknowns(1350, 1150, 320, 70, 15, 8, 20);
    }

    /** What the reference implies. */
    private static final int POSTS_OF_USER = 24;

    private static final int COMMENTS = 20;
    private static final int LIKES = 50;
    private static final int FEED = 100;

    /** One of the published figures, and what the engine did for it. */
    record Cell(String request, String version, double reference, Bill bill) {}

    private final Unknowns unknowns;
    private final LocalEngine engine = LocalEngine.inMemory();
    private final List<Cell> cells = new ArrayList<>();
    private int drawn;

    BlogCharges(Unknowns unknowns) {
        this.unknowns = unknowns;
    }

    List<Cell> cells() {
        v1();
        v2();
        v3();
        return cells;
    }

    @Override
    public void close() {
        engine.close();
    }

    // ---- the three models ----

    private void v1() {
        var users = container("users1", "/id", 1);
        var posts = container("posts1", "/postId", unknowns.partitions());
        var user = Obj.builder().put("id", id()).put("username", name()).build();
        var author = text(user, "id");
        add("C1", "V1", 5.71, create(users, "id", user));
        add("Q1", "V1", 1, read(users, author, author));
        var post = post(false);
        add("C2", "V1", 8.76, create(posts, "postId", post));
        var shown = text(post, "postId");
        add("C3", "V1", 8.57, create(posts, "postId", comment(shown, false)));
        add("C4", "V1", 7.05, create(posts, "postId", like(shown, false)));
        fill(posts, shown, COMMENTS - 1, LIKES - 1, false);
        var names = reads(users, author, 1);
        add("Q2", "V1", 19.54, read(posts, shown, shown), names, counts(posts, shown));
        add("Q4", "V1", 27.72, ofPost(posts, shown, "comment"), reads(users, author, COMMENTS));
        add("Q5", "V1", 58.92, ofPost(posts, shown, "like"), reads(users, author, LIKES));
        var writer = id();
        var written = posts(posts, writer, false);
        add("Q3", "V1", 619.41, postsOf(posts, writer), names, counts(posts, written));
        var recent = recent(posts, false);
        add("Q6", "V1", 2063.54, feed(posts), reads(users, author, FEED), counts(posts, recent));
    }

    private void v2() {
        var users = container("users2", "/id", 1);
        var posts = container("posts2", "/postId", unknowns.partitions());
        var user = Obj.builder().put("id", id()).put("username", name()).build();
        add("C1", "V2", 5.71, create(users, "id", user));
        add("Q1", "V2", 1, read(users, text(user, "id"), text(user, "id")));
        inPosts("V2", posts);
        var writer = id();
        posts(posts, writer, true);
        add("Q3", "V2", 201.54, postsOf(posts, writer));
        recent(posts, true);
        add("Q6", "V2", 532.33, feed(posts));
    }

    private void v3() {
        var users = container("users3", "/userId", 1);
        var posts = container("posts3", "/postId", 1);
        var feed = container("feed3", "/type", 1);
        var author = id();
        var user = Obj.builder()
                .put("id", author)
                .put("type", "user")
                .put("userId", author)
                .put("username", name())
                .build();
        add("C1", "V3", 5.71, create(users, "userId", user));
        add("Q1", "V3", 1, read(users, author, author));
        inPosts("V3", posts);
        for (int i = 0; i < POSTS_OF_USER; i++) {
            create(users, "userId", with(with(summary(), "userId", author), "id", id()));
        }
        var of = parameters("SELECT * FROM p WHERE p.userId = @a AND p.type = @b", author, "post");
        add("Q3", "V3", 6.46, query(users, key(author), of));
        for (int i = 0; i < FEED; i++) {
            create(feed, "type", summary());
        }
        var newest = parameters("SELECT TOP 100 * FROM f ORDER BY f.creationDate DESC");
        add("Q6", "V3", 16.97, query(feed, key("post"), newest));
    }

    /** What V2 and V3 do the same way. */
    private void inPosts(String version, Address posts) {
        var post = post(true);
        add("C2", version, 8.76, create(posts, "postId", post));
        var shown = text(post, "postId");
        add("Q2", version, 1, read(posts, shown, shown));
        script(posts, "createComment", "commentCount");
        script(posts, "createLike", "likeCount");
        add("C3", version, 15.27, execute(posts, "createComment", shown, comment(shown, true)));
        add("C4", version, 14.67, execute(posts, "createLike", shown, like(shown, true)));
        fill(posts, shown, COMMENTS - 1, LIKES - 1, true);
        add("Q4", version, 7.72, ofPost(posts, shown, "comment"));
        add("Q5", version, 8.92, ofPost(posts, shown, "like"));
    }

    private void add(String request, String version, double reference, Bill... parts) {
        cells.add(new Cell(request, version, reference, Bill.sum(List.of(parts))));
    }

    // ---- items ----

    private String id() {
        return new UUID(0x5eed_0000_0000_4000L + drawn++, 0x8000_0000_0000_0000L + drawn * 0x9e37_79b9L).toString();
    }

    private String name() {
        return String.format(Locale.ROOT, "user-%05d", drawn++);
    }

    private String date() {
        int second = drawn++;
        return String.format(
                Locale.ROOT, "2019-05-%02dT%02d:%02d:00.000Z", 1 + second / 1440 % 28, second / 60 % 24, second % 60);
    }

    private Obj post(boolean denormalised) {
        var id = id();
        var post = Obj.builder()
                .put("id", id)
                .put("type", "post")
                .put("postId", id)
                .put("userId", id())
                .put("title", "A new post")
                .put("content", "x".repeat(unknowns.postLetters()))
                .put("creationDate", date());
        return denormalised
                ? post.put("userUsername", name())
                        .put("commentCount", COMMENTS)
                        .put("likeCount", LIKES)
                        .build()
                : post.build();
    }

    private Obj summary() {
        return with(post(true), "content", "x".repeat(unknowns.summaryLetters()));
    }

    private Obj comment(String postId, boolean denormalised) {
        return response(postId, "comment", denormalised)
                .put("content", "x".repeat(unknowns.commentLetters()))
                .build();
    }

    private Obj like(String postId, boolean denormalised) {
        return response(postId, "like", denormalised).build();
    }

    private Obj.Builder response(String postId, String type, boolean denormalised) {
        var response = Obj.builder()
                .put("id", id())
                .put("type", type)
                .put("postId", postId)
                .put("userId", id())
                .put("creationDate", date());
        return denormalised ? response.put("userUsername", name()) : response;
    }

    private void fill(Address posts, String postId, int comments, int likes, boolean denormalised) {
        for (int i = 0; i < comments; i++) {
            create(posts, "postId", comment(postId, denormalised));
        }
        for (int i = 0; i < likes; i++) {
            create(posts, "postId", like(postId, denormalised));
        }
    }

    /** The posts of a user, each with as many comments and likes as the one that is shown. */
    private List<String> posts(Address posts, String userId, boolean denormalised) {
        return IntStream.range(0, POSTS_OF_USER)
                .mapToObj(_ -> {
                    var post = with(post(denormalised), "userId", userId);
                    create(posts, "postId", post);
                    var id = text(post, "postId");
                    fill(posts, id, COMMENTS, LIKES, denormalised);
                    return id;
                })
                .toList();
    }

    /** Enough posts for the front page: as many in each partition as it is asked for, and comments for the newest. */
    private List<String> recent(Address posts, boolean denormalised) {
        var ids = new ArrayList<String>();
        int enough = unknowns.partitions() * unknowns.feedPage() * 2;
        for (int i = 0; i < enough; i++) {
            var post = post(denormalised);
            create(posts, "postId", post);
            ids.add(text(post, "postId"));
        }
        var newest = ids.subList(ids.size() - FEED, ids.size());
        newest.forEach(id -> fill(posts, id, unknowns.recentComments(), unknowns.recentLikes(), denormalised));
        return newest;
    }

    private static Obj with(Obj item, String name, String value) {
        return Obj.builder().putAll(item).put(name, value).build();
    }

    private static String text(Obj item, String name) {
        return ((Str) item.member(name)).value();
    }

    // ---- operations ----

    private Address container(String name, String keyPath, int partitions) {
        return engine.container(
                name,
                "{\"id\":\"" + name + "\",\"partitionKey\":{\"paths\":[\"" + keyPath
                        + "\"],\"kind\":\"Hash\",\"version\":2}}",
                partitions);
    }

    private Bill create(Address container, String keyName, Obj item) {
        return bill(new Operation.WriteItem(
                container,
                key(text(item, keyName)).partition(),
                new ItemWrite.Create(JsonWriter.bytes(item), Precondition.NONE),
                Triggers.NONE));
    }

    private Bill read(Address container, String key, String id) {
        return bill(new Operation.ReadItem(container, id, key(key).partition(), Precondition.NONE));
    }

    private Bill reads(Address container, String id, int times) {
        return Bill.sum(
                IntStream.range(0, times).mapToObj(_ -> read(container, id, id)).toList());
    }

    private void script(Address posts, String name, String counter) {
        engine.script(posts, name, """
            function %1$s(postId, item) {
              const posts = getContext().getCollection();
              posts.readDocument(posts.getAltLink() + '/docs/' + postId, (error, post) => {
                if (error) throw error;
                post.%2$s++;
                posts.replaceDocument(post._self, post, (error) => { if (error) throw error; });
                posts.createDocument(posts.getSelfLink(), item, (error) => { if (error) throw error; });
              });
            }\
            """.formatted(name, counter));
    }

    private Bill execute(Address posts, String script, String postId, Obj item) {
        var arguments = JsonWriter.bytes(new Arr(List.of(new Str(postId), item)));
        return bill(new Operation.ExecuteProcedure(posts, script, key(postId).partition(), arguments, false));
    }

    private Bill counts(Address posts, String postId) {
        var text = "SELECT VALUE COUNT(1) FROM p WHERE p.postId = @a AND p.type = @b";
        return query(posts, key(postId), parameters(text, postId, "comment"))
                .plus(query(posts, key(postId), parameters(text, postId, "like")));
    }

    private Bill counts(Address posts, List<String> ids) {
        return Bill.sum(ids.stream().map(id -> counts(posts, id)).toList());
    }

    private Bill ofPost(Address posts, String postId, String type) {
        return query(
                posts, key(postId), parameters("SELECT * FROM p WHERE p.postId = @a AND p.type = @b", postId, type));
    }

    private Bill postsOf(Address posts, String userId) {
        return fanOut(
                posts, parameters("SELECT * FROM p WHERE p.type = 'post' AND p.userId = @a", userId), Optional.empty());
    }

    private Bill feed(Address posts) {
        return fanOut(
                posts,
                parameters("SELECT TOP 100 * FROM p WHERE p.type = 'post' ORDER BY p.creationDate DESC"),
                Optional.of(unknowns.feedPage()));
    }

    /** As an SDK does it: it asks how, and then every range. */
    private Bill fanOut(Address posts, Obj query, Optional<Integer> pageItems) {
        var plan = (Answer.Plan) run(new Operation.PlanQuery(
                        posts,
                        Optional.empty(),
                        new QueryText(JsonWriter.bytes(query)),
                        List.of("OrderBy", "Top", "MultipleOrderBy")))
                .answer();
        var rewritten = JsonReader.parse(plan.json()) instanceof Obj json
                        && json.member("queryInfo") instanceof Obj info
                        && info.member("rewrittenQuery") instanceof Str(var text)
                        && !text.isEmpty()
                ? with(query, "query", text.replace("{documentdb-formattableorderbyquery-filter}", "true"))
                : query;
        var ranges = ((Answer.Feed)
                        run(new Operation.ReadRanges(posts, Optional.empty())).answer())
                .rows().stream()
                        .map(row -> text((Obj) JsonReader.parse(bytes(row)), "id"))
                        .toList();
        return Bill.sum(ranges.stream()
                .map(range -> new Scope(Optional.of(range), Optional.empty(), Optional.empty()))
                .map(scope -> query(posts, scope, rewritten, pageItems))
                .toList());
    }

    private static byte[] bytes(ByteBuffer row) {
        return StandardCharsets.UTF_8.decode(row.duplicate()).toString().getBytes(StandardCharsets.UTF_8);
    }

    private Bill query(Address container, Scope scope, Obj query) {
        return query(container, scope, query, Optional.empty());
    }

    private Bill query(Address container, Scope scope, Obj query, Optional<Integer> pageItems) {
        return bill(new QueryItems(
                container,
                scope,
                new QueryText(JsonWriter.bytes(query)),
                new Page(pageItems, Optional.empty()),
                Set.of(QueryWish.WHOLE_RESULT)));
    }

    private static Obj parameters(String text, String... values) {
        var parameters = new ArrayList<JsonValue>();
        for (int i = 0; i < values.length; i++) {
            parameters.add(Obj.builder()
                    .put("name", "@" + (char) ('a' + i))
                    .put("value", values[i])
                    .build());
        }
        return Obj.builder()
                .put("query", text)
                .put("parameters", new Arr(parameters))
                .build();
    }

    private static Scope key(String value) {
        return new Scope(Optional.empty(), Optional.of(PartitionKey.parse("[\"" + value + "\"]")), Optional.empty());
    }

    private Bill bill(Operation operation) {
        return run(operation).bill();
    }

    private Outcome run(Operation operation) {
        return LocalEngine.demand(engine.start(operation));
    }
}
