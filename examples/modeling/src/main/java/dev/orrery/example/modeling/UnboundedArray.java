package dev.orrery.example.modeling;

import com.azure.cosmos.CosmosException;
import com.azure.cosmos.models.CosmosBatch;
import com.azure.cosmos.models.CosmosBatchPatchItemRequestOptions;
import com.azure.cosmos.models.CosmosPatchOperations;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The comments of a post: all of them in the post, or the latest ones in the post and all of them in pages. */
final class UnboundedArray {
    static final String SHOW = "show a post with its latest comments";
    static final String ADD = "add a comment";
    static final String READ_ALL = "read all comments";

    static final int LATEST_COMMENTS = 3;
    static final int PAGE_COMMENTS = 100;
    private static final int MEASURED_COMMENTS = 1_000;
    private static final int COMMENT_CHARACTERS = 200;

    /** Large comments, because the limit is one of bytes, and small ones would only take longer to reach it. */
    private static final int LARGE_CHARACTERS = 10_000;

    private static final int LARGE_COMMENTS_AT_FIRST = 195;
    private static final int LARGE_COMMENTS_MAX = 1_000;
    private static final int TOO_LARGE = 413;

    record Comment(String author, String text) {}

    interface Posts {
        void create(String postId, List<Comment> comments);

        void add(String postId, Comment comment);

        /** What the page of a post begins with, oldest first. */
        List<Comment> latest(String postId);

        List<Comment> all(String postId);
    }

    /** A post is one item with all its comments. */
    static final class OneArray implements Posts {
        private record PostWithComments(String id, String title, List<Comment> comments) {}

        private final Container posts;

        OneArray(Workbench bench) {
            posts = bench.container("postsWithComments", "/id");
        }

        @Override
        public void create(String postId, List<Comment> comments) {
            posts.create(postId, new PostWithComments(postId, title(postId), comments));
        }

        @Override
        public void add(String postId, Comment comment) {
            posts.patch(postId, postId, CosmosPatchOperations.create().add("/comments/-", comment));
        }

        @Override
        public List<Comment> latest(String postId) {
            return tail(all(postId));
        }

        @Override
        public List<Comment> all(String postId) {
            return posts.read(postId, postId, PostWithComments.class).comments();
        }
    }

    /** A post has its latest comments, and items in its partition have a hundred each. */
    static final class Pages implements Posts {
        @JsonInclude(JsonInclude.Include.NON_NULL)
        private record Post(
                String id,
                String postId,
                String type,
                String title,
                int commentCount,
                List<Comment> recentComments,
                @JsonProperty("_etag") String etag) {}

        private record Page(String id, String postId, String type, int number, List<Comment> comments) {}

        private final Container posts;

        Pages(Workbench bench) {
            posts = bench.container("postsAndPages", "/postId");
        }

        @Override
        public void create(String postId, List<Comment> comments) {
            posts.create(
                    postId, new Post(postId, postId, "post", title(postId), comments.size(), tail(comments), null));
            for (int start = 0; start < comments.size(); start += PAGE_COMMENTS) {
                var some = comments.subList(start, Math.min(start + PAGE_COMMENTS, comments.size()));
                posts.create(postId, page(postId, start / PAGE_COMMENTS, some));
            }
        }

        @Override
        public void add(String postId, Comment comment) {
            var post = posts.read(postId, postId, Post.class);
            var recent = tail(Stream.concat(post.recentComments().stream(), Stream.of(comment))
                    .toList());
            var batch = CosmosBatch.createCosmosBatch(new PartitionKey(postId));
            // Whoever else adds a comment meanwhile changes the post, so that this batch is refused and can be
            // repeated.
            batch.patchItemOperation(
                    postId,
                    CosmosPatchOperations.create().increment("/commentCount", 1).set("/recentComments", recent),
                    new CosmosBatchPatchItemRequestOptions().setIfMatchETag(post.etag()));
            int number = post.commentCount() / PAGE_COMMENTS;
            if (post.commentCount() % PAGE_COMMENTS == 0) {
                batch.createItemOperation(page(postId, number, List.of(comment)));
            } else {
                batch.patchItemOperation(
                        pageId(postId, number), CosmosPatchOperations.create().add("/comments/-", comment));
            }
            posts.execute(batch);
        }

        @Override
        public List<Comment> latest(String postId) {
            return posts.read(postId, postId, Post.class).recentComments();
        }

        @Override
        public List<Comment> all(String postId) {
            return pages(postId).stream()
                    .flatMap(page -> page.comments().stream())
                    .toList();
        }

        int pageCount(String postId) {
            return pages(postId).size();
        }

        private List<Page> pages(String postId) {
            return posts.query(postId, Page.class, "SELECT * FROM c WHERE c.type = 'comments' ORDER BY c.number");
        }

        private static Page page(String postId, int number, List<Comment> comments) {
            return new Page(pageId(postId, number), postId, "comments", number, comments);
        }

        private static String pageId(String postId, int number) {
            return postId + "-comments-" + number;
        }
    }

    /** Where one array ended: after so many comments, the next one was refused. */
    record Limit(int comments, int status) {}

    private UnboundedArray() {}

    static TradeOff measure(Workbench bench) {
        var pages = new Pages(bench);
        var array = new OneArray(bench);
        var comparison = bench.compare("pages", pages, "one array", array);
        comparison.prepare(posts -> posts.create("post", comments(MEASURED_COMMENTS, COMMENT_CHARACTERS)));
        comparison.measure(SHOW, (posts, _) -> posts.latest("post"));
        comparison.measure(
                ADD,
                (posts, number) -> posts.add("post", comment(MEASURED_COMMENTS + number, COMMENT_CHARACTERS)),
                (posts, _) -> posts.latest("post"));
        comparison.measure(READ_ALL, (posts, _) -> posts.all("post"));
        var limit = fill(array, pages);
        comparison.find(String.format(
                Locale.ROOT,
                "With comments of %,d characters, one array took %d of them and refused the next with status %d;"
                        + " pages took that one as well.",
                LARGE_CHARACTERS,
                limit.comments(),
                limit.status()));
        return comparison.tradeOff();
    }

    /** Adds comments to a post in both models until one array refuses one. */
    static Limit fill(OneArray array, Pages pages) {
        var first = comments(LARGE_COMMENTS_AT_FIRST, LARGE_CHARACTERS);
        array.create("popular", first);
        pages.create("popular", first);
        for (int number = first.size(); number < LARGE_COMMENTS_MAX; number++) {
            var comment = comment(number, LARGE_CHARACTERS);
            pages.add("popular", comment);
            try {
                array.add("popular", comment);
            } catch (CosmosException refused) {
                if (refused.getStatusCode() == TOO_LARGE) {
                    return new Limit(number, TOO_LARGE);
                }
                throw refused;
            }
        }
        throw new IllegalStateException("an item has taken " + LARGE_COMMENTS_MAX + " large comments");
    }

    static List<Comment> comments(int count, int characters) {
        return IntStream.range(0, count)
                .mapToObj(number -> comment(number, characters))
                .toList();
    }

    static Comment comment(int number, int characters) {
        var text = new StringBuilder("comment " + number + " ");
        while (text.length() < characters) {
            text.append("and more words ");
        }
        text.setLength(characters);
        return new Comment("reader-" + number % 10, text.toString());
    }

    private static List<Comment> tail(List<Comment> comments) {
        return List.copyOf(comments.subList(Math.max(0, comments.size() - LATEST_COMMENTS), comments.size()));
    }

    private static String title(String postId) {
        return "About the " + postId;
    }
}
