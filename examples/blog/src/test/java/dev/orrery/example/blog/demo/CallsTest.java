package dev.orrery.example.blog.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class CallsTest {
    @Test
    void listsAreAsLongAsThoseOfTheReferenceWhereThereAreEnoughPosts() {
        var listed = new Calls(new StandIn(42, 100)).listed();
        assertThat(listed.comments()).isCloseTo(20, Offset.offset(1.0));
        assertThat(listed.likes()).isCloseTo(50, Offset.offset(1.0));
    }

    @Test
    void theListsOfAFewPostsAreToldAsLongAsTheyAre() {
        var data = new StandIn(42, 1);
        var listed = new Calls(data).listed();
        assertThat(data.postsOf(0)).isLessThan(20); // so that all of them are listed
        assertThat(listed.comments() * data.postsOf(0))
                .isCloseTo(data.itemsOfPosts() - data.posts() - listed.likes() * data.postsOf(0), Offset.offset(0.01));
    }
}
