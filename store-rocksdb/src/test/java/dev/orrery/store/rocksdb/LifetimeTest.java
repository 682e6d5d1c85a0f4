package dev.orrery.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LifetimeTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final Lifetime lifetime = new Lifetime();

    @Test
    void endsAtOnceWhenNobodyIsInside() {
        lifetime.enter();
        lifetime.leave();

        assertThat(lifetime.end(LONG)).isTrue();
    }

    @Test
    void nobodyEntersAfterTheEnd() {
        lifetime.end(LONG);

        assertThat(lifetime.tryEnter()).isFalse();
        assertThatThrownBy(lifetime::enter).isInstanceOf(IllegalStateException.class);
        assertThat(lifetime.end(LONG)).isTrue();
    }

    @Test
    void theEndWaitsForThoseInside() {
        lifetime.enter();
        var end = CompletableFuture.supplyAsync(() -> lifetime.end(LONG));
        while (lifetime.tryEnter()) { // Until the end has begun.
            lifetime.leave();
        }

        assertThat(end).isNotDone();
        lifetime.leave();
        assertThat(end.join()).isTrue();
    }

    @Test
    void theEndDoesNotWaitForEver() {
        lifetime.enter();

        assertThat(lifetime.end(Duration.ofMillis(5))).isFalse();
    }
}
