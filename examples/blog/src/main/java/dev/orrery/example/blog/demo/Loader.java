package dev.orrery.example.blog.demo;

import com.azure.cosmos.CosmosAsyncContainer;
import com.azure.cosmos.CosmosAsyncDatabase;
import com.azure.cosmos.models.CosmosBulkExecutionOptions;
import com.azure.cosmos.models.CosmosBulkItemRequestOptions;
import com.azure.cosmos.models.CosmosBulkOperationResponse;
import com.azure.cosmos.models.CosmosBulkOperations;
import com.azure.cosmos.models.CosmosItemOperation;
import com.azure.cosmos.models.PartitionKey;
import dev.orrery.example.blog.BlogPlatform;
import dev.orrery.example.blog.BlogSchema;
import dev.orrery.example.blog.Post;
import dev.orrery.example.blog.Version;
import dev.orrery.example.common.DemoException;
import dev.orrery.example.common.Explanation;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Writes the data set in bulk, as it is made: never more than a window of it is in memory. */
final class Loader {
    /** The SDK would take in all there is; this many are on their way at most. */
    private static final int WINDOW_OPERATIONS = 10_000;

    /** An answer need not hold the item that was sent. */
    private static final CosmosBulkItemRequestOptions NOTHING_BACK =
            new CosmosBulkItemRequestOptions().setContentResponseOnWriteEnabled(false);

    private final StandIn data;
    private final CosmosAsyncDatabase database;
    private final Version version;
    private final Progress progress;

    Loader(StandIn data, CosmosAsyncDatabase database, Version version, Progress progress) {
        this.data = data;
        this.database = database;
        this.version = version;
        this.progress = progress;
    }

    void loadUsers() {
        write(BlogSchema.USERS, users().mapToObj(data::user).map(user -> create(version.stored(user), user.id())));
    }

    /** All posts with their comments and likes. */
    void loadPosts() {
        write(
                BlogSchema.POSTS,
                users().boxed()
                        .flatMap(user ->
                                IntStream.range(0, data.postsOf(user)).boxed().flatMap(number -> post(user, number))));
    }

    /** Just what consumers of the change feed would write into the views. */
    void loadViews() {
        write(BlogSchema.USERS, posts().map(post -> create(post.summary(), post.userId())));
        var newest = new PriorityQueue<>(Comparator.comparing(Post::creationDate));
        posts().forEach(post -> {
            newest.add(post);
            if (newest.size() > BlogPlatform.FEED_POSTS_MAX) {
                newest.remove();
            }
        });
        write(BlogSchema.FEED, newest.stream().map(post -> create(post.summary(), post.type())));
    }

    private IntStream users() {
        return IntStream.range(0, data.users());
    }

    private Stream<Post> posts() {
        return users().boxed()
                .flatMap(user -> IntStream.range(0, data.postsOf(user)).mapToObj(number -> data.post(user, number)));
    }

    private Stream<CosmosItemOperation> post(int user, int number) {
        var post = data.post(user, number);
        return Stream.of(
                        Stream.of(create(version.stored(post), post.id())),
                        data.comments(user, number, post).map(comment -> create(version.stored(comment), post.id())),
                        data.likes(user, number, post).map(like -> create(version.stored(like), post.id())))
                .flatMap(items -> items);
    }

    private static CosmosItemOperation create(Object item, String key) {
        return CosmosBulkOperations.getCreateItemOperation(item, new PartitionKey(key), NOTHING_BACK);
    }

    private void write(String name, Stream<CosmosItemOperation> operations) {
        CosmosAsyncContainer container = database.getContainer(name);
        var window = new Semaphore(WINDOW_OPERATIONS);
        // A thread that may wait makes the items, so that a full window holds it up and nobody else.
        var source = Flux.fromStream(operations)
                .doOnNext(_ -> window.acquireUninterruptibly())
                .subscribeOn(Schedulers.boundedElastic());
        container
                .executeBulkOperations(source, new CosmosBulkExecutionOptions())
                .doOnNext(response -> {
                    check(response);
                    window.release();
                    progress.add(1);
                })
                .then()
                .block();
    }

    private static void check(CosmosBulkOperationResponse<?> response) {
        if (response.getException() != null) {
            throw new DemoException(
                    "An item was not loaded: "
                            + Explanation.of(response.getException())
                                    .orElse(response.getException().toString()),
                    response.getException());
        }
        if (!response.getResponse().isSuccessStatusCode()) {
            throw new DemoException(
                    "An item was not loaded: status " + response.getResponse().getStatusCode());
        }
    }
}
