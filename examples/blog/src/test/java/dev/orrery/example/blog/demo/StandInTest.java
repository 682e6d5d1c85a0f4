package dev.orrery.example.blog.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.example.blog.Comment;
import dev.orrery.example.blog.Post;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StandInTest {
    /** What the database adds to an item, about. */
    private static final int SYSTEM_PROPERTIES_BYTES = 220;

    private final StandIn data = new StandIn(42, 40);

    @Test
    void theSameSeedMakesTheSameData() {
        var again = new StandIn(42, 40);
        assertThat(again.user(3)).isEqualTo(data.user(3));
        assertThat(again.post(3, 4)).isEqualTo(data.post(3, 4));
        assertThat(comments(again)).isEqualTo(comments(data).toList());
    }

    @ParameterizedTest
    @ValueSource(longs = {41, 43, 42 + (1L << 32), 0, -1})
    void anotherSeedMakesOtherData(long seed) {
        var other = new StandIn(seed, 40);
        assertThat(posts(other).map(Post::id))
                .doesNotContainAnyElementsOf(posts().map(Post::id).toList());
        assertThat(IntStream.range(0, 40).mapToObj(user -> other.user(user).id()))
                .doesNotContainAnyElementsOf(IntStream.range(0, 40)
                        .mapToObj(user -> data.user(user).id())
                        .toList());
    }

    @Test
    void countsAreThoseOfTheScenarioAndTrue() {
        assertThat(IntStream.range(0, 40).map(data::postsOf)).allMatch(posts -> posts >= 5 && posts <= 50);
        assertThat(posts()).allMatch(post -> post.commentCount() <= 25 && post.likeCount() <= 100);
        assertThat(comments(data)).hasSize(data.post(3, 4).commentCount());
        assertThat(data.likes(3, 4, data.post(3, 4))).hasSize(data.post(3, 4).likeCount());
        assertThat(data.itemsOfPosts())
                .isEqualTo(posts().mapToLong(post -> 1 + post.commentCount() + post.likeCount())
                        .sum());
        assertThat(data.posts()).isEqualTo(posts().count());
    }

    @Test
    void everyPostHasAnIdAndADateOfItsOwn() {
        assertThat(posts().map(Post::id)).doesNotHaveDuplicates();
        assertThat(posts().map(Post::creationDate)).doesNotHaveDuplicates();
    }

    @Test
    void itemsHaveTheSizeThatTheReferencePointsTo() throws JsonProcessingException {
        var json = new ObjectMapper();
        for (Object item : Stream.concat(posts(), comments(data)).limit(100).toList()) {
            assertThat(json.writeValueAsBytes(item).length + SYSTEM_PROPERTIES_BYTES)
                    .isBetween(1_600, 1_850);
        }
        for (var like : data.likes(3, 4, data.post(3, 4)).toList()) {
            assertThat(json.writeValueAsBytes(like).length + SYSTEM_PROPERTIES_BYTES)
                    .isLessThan(1_000);
        }
    }

    private Stream<Post> posts() {
        return posts(data);
    }

    private static Stream<Post> posts(StandIn data) {
        return IntStream.range(0, 40)
                .boxed()
                .flatMap(user -> IntStream.range(0, data.postsOf(user)).mapToObj(number -> data.post(user, number)));
    }

    private static Stream<Comment> comments(StandIn data) {
        return data.comments(3, 4, data.post(3, 4));
    }
}
