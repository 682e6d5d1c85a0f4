package dev.orrery.engine.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.ResourceKind;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One copy takes over from another that is lost, together with what nobody else had heard of. */
class TakeOverTest {

    @Test
    void itemsOfTheSuccessorHaveNoNumberOfAnItemThatWasLost() {
        try (var lost = TestDatabase.withContainer();
                var successor = TestDatabase.empty()) {
            lost.createItem("p", "{\"id\":\"known\",\"pk\":\"p\"}");
            follow(successor, lost);
            var alone = TestDatabase.json(lost.createItem("p", "{\"id\":\"lost\",\"pk\":\"p\"}"));

            successor.replica().stepUp(2);
            var next = TestDatabase.json(successor.createItem("p", "{\"id\":\"next\",\"pk\":\"p\"}"));

            assertThat(TestDatabase.text(next, "_rid")).isNotEqualTo(TestDatabase.text(alone, "_rid"));
            assertThat(TestDatabase.text(next, "_etag")).isNotEqualTo(TestDatabase.text(alone, "_etag"));
        }
    }

    @Test
    void containersOfTheSuccessorHaveNoNumberOfAContainerThatWasLost() {
        try (var lost = TestDatabase.withContainer();
                var successor = TestDatabase.empty()) {
            follow(successor, lost);
            var alone = rid(container(lost, "lost"));

            successor.replica().stepUp(2);
            var next = rid(container(successor, "next"));
            assertThat(next).isNotEqualTo(alone);

            successor.reopen();
            assertThat(rid(container(successor, "after"))).isNotIn(alone, next);
        }
    }

    @Test
    void whatWasDeletedLongAgoKeepsItsNumberForItself() {
        try (var lost = TestDatabase.withContainer();
                var successor = TestDatabase.empty()) {
            for (int i = 0; i < 10; i++) {
                lost.createItem("p", "{\"id\":\"i\",\"pk\":\"p\"}");
                lost.deleteItem("p", "i");
            }
            lost.passSeconds(100_000);
            lost.trimLogs();
            follow(successor, lost);

            var range = successor.replica().ranges().getFirst();
            assertThat(successor.replica().documents(range))
                    .isEqualTo(lost.replica().documents(range))
                    .isEqualTo(10);
        }
    }

    private static void follow(TestDatabase copy, TestDatabase source) {
        var here = copy.replica();
        var there = source.replica();
        here.follow(there.catalogAfter(here.catalogVersion()));
        for (var range : there.ranges()) {
            var epoch = here.epochs(range).last();
            here.apply(there.newsAfter(range, epoch, here.lsn(range), Long.MAX_VALUE)
                            .orElseThrow())
                    .join();
            assertThat(here.lsn(range)).isEqualTo(there.lsn(range));
        }
    }

    private static Outcome container(TestDatabase database, String id) {
        return database.create(
                ResourceKind.CONTAINER,
                TestDatabase.DATABASE,
                "{\"id\":\"%s\",\"partitionKey\":{\"paths\":[\"/pk\"]}}".formatted(id),
                Optional.empty());
    }

    private static String rid(Outcome outcome) {
        return TestDatabase.text(TestDatabase.json(outcome), "_rid");
    }
}
