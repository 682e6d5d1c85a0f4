package dev.orrery.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;

/** When realms are made: in the background, and no more than there is a use for. */
class RealmsTest {
    private final ArrayDeque<Runnable> background = new ArrayDeque<>();

    @Test
    void whatTheFirstScriptNeedsIsMadeOnce() {
        try (var realms = new Realms(background::add)) {
            realms.prepare();
            realms.prepare();
            assertThat(background).hasSize(1);
            background.remove().run();
            realms.prepare();
            assertThat(background).as("one is ready, and one is enough").isEmpty();
            realms.fill();
            assertThat(background).as("scripts are expected now").hasSize(1);
        }
    }
}
