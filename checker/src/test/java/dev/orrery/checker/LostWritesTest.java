package dev.orrery.checker;

import static dev.orrery.checker.Histories.X;
import static dev.orrery.checker.Histories.history;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LostWritesTest {
    @Test
    void whatWasAcknowledgedIsLeft() {
        var history = history().write(1, 0, 1, "a");
        assertThat(left(history, "a")).isEmpty();
        assertThat(left(history, null))
                .singleElement()
                .hasToString(
                        "nothing lost: x = none in the end, after session 1, 0 to 1: Write[key=x, value=Optional[a]],"
                                + " DONE");
    }

    @Test
    void theLastWriteIsLeft() {
        var history = history().write(1, 0, 1, "a").write(2, 2, 3, "b");
        assertThat(left(history, "b")).isEmpty();
        assertThat(left(history, "a")).hasSize(1);
    }

    @Test
    void ofWritesAtTheSameTimeEitherIsLeft() {
        var history = history().write(1, 0, 3, "a").write(2, 2, 5, "b");
        assertThat(left(history, "a")).isEmpty();
        assertThat(left(history, "b")).isEmpty();
        assertThat(left(history, null)).hasSize(1);
    }

    @Test
    void aWriteThatWasGivenUpMayHaveHappenedLastOrNot() {
        var history = history().maybe(1, 0, 1, "a").write(2, 2, 3, "b");
        assertThat(left(history, "a")).isEmpty();
        assertThat(left(history, "b")).isEmpty();
        assertThat(left(history, null)).hasSize(1);
        assertThat(left(history().maybe(1, 0, 1, "a"), null)).isEmpty();
    }

    @Test
    void whatIsDeletedIsNotLost() {
        assertThat(left(history().write(1, 0, 1, "a").delete(1, 2, 3), null)).isEmpty();
        assertThat(left(history().write(1, 0, 1, "a").delete(1, 2, 3), "a")).hasSize(1);
    }

    @Test
    void whatNobodyWroteIsInvented() {
        var refused = history().add(1, 0, 1, Action.Write.of(X, "a"), Outcome.NOT_DONE);
        assertThat(left(refused, "a")).singleElement().hasToString("nothing invented: x = a, which nobody wrote");
        assertThat(left(refused, null)).isEmpty();
    }

    @Test
    void whatTheDatabaseToldToBeDroppedMayBeMissing() {
        var history = history().write(1, 0, 1, "a").write(1, 2, 3, "b");
        assertThat(LostWrites.check(history.operations(), Map.of(X, "a"), Set.of(Version.of(X, "b"))))
                .isEmpty();
        assertThat(LostWrites.check(history.operations(), Map.of(), Set.of(Version.of(X, "b"))))
                .hasSize(1);
    }

    private static List<Violation> left(Histories history, String value) {
        return LostWrites.check(history.operations(), value == null ? Map.of() : Map.of(X, value), Set.of());
    }
}
