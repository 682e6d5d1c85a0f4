package dev.orrery.example.modeling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.example.modeling.UnboundedArray.OneArray;
import dev.orrery.example.modeling.UnboundedArray.Pages;
import dev.orrery.example.modeling.UnboundedArray.Posts;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnboundedArrayIT {
    private static final int CHARACTERS = 50;

    @Test
    void pagesAreWrittenAndShownForLess() {
        var tradeOff = UnboundedArray.measure(TestServer.bench("unbounded-measured"));

        assertThat(tradeOff.row(UnboundedArray.SHOW).isCheaperWithPattern()).isTrue();
        assertThat(tradeOff.row(UnboundedArray.ADD).isCheaperWithPattern()).isTrue();
        assertThat(tradeOff.findings()).singleElement().asString().contains("status 413");
    }

    @Test
    void oneArrayEndsAtTwoMegabytesAndPagesGoOn() {
        var bench = TestServer.bench("unbounded-full");
        var array = new OneArray(bench);
        var pages = new Pages(bench);
        var limit = UnboundedArray.fill(array, pages);

        assertThat(limit.status()).isEqualTo(413);
        var kept = array.all("popular");
        assertThat(kept).hasSize(limit.comments());
        assertThat(kept.stream().mapToInt(comment -> comment.text().length()).sum())
                .isBetween(2_000_000, 2 * 1024 * 1024);
        assertThat(pages.all("popular")).hasSize(limit.comments() + 1);
    }

    @Test
    void bothModelsShowTheLatestThreeAndKeepAllInOrder() {
        var bench = TestServer.bench("unbounded");
        var comments = UnboundedArray.comments(UnboundedArray.PAGE_COMMENTS + 2, CHARACTERS);
        var pages = new Pages(bench);
        for (Posts posts : List.of(new OneArray(bench), pages)) {
            posts.create("post", comments.subList(0, UnboundedArray.PAGE_COMMENTS - 2));
            IntStream.range(UnboundedArray.PAGE_COMMENTS - 2, comments.size())
                    .forEach(number -> posts.add("post", comments.get(number)));
            posts.create("fresh", List.of());
            posts.add("fresh", comments.getFirst());

            assertThat(posts.latest("post")).isEqualTo(comments.subList(comments.size() - 3, comments.size()));
            assertThat(posts.all("post")).isEqualTo(comments);
            assertThat(posts.latest("fresh")).containsExactly(comments.getFirst());
        }
        assertThat(pages.pageCount("post")).isEqualTo(2);
    }
}
