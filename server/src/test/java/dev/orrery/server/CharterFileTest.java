package dev.orrery.server;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.region.Charter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A region starts where the others look for it, or not at all. */
class CharterFileTest {
    private static final Charter KNOWN = Charter.founding(List.of(
            RegionOptions.member("West US=http://localhost:8081"),
            RegionOptions.member("North Europe=http://localhost:8091/?council=9000")));

    private static void start(String told) {
        CharterFile.demandPlace(KNOWN, RegionOptions.member(told));
    }

    @Test
    void whereItWasItStarts() {
        assertThatCode(() -> start("West US=http://localhost:8081/")).doesNotThrowAnyException();
        assertThatCode(() -> start("North Europe=http://localhost:8091?council=9000"))
                .doesNotThrowAnyException();
    }

    @Test
    void whoWasCountedOutIsLookedForByNobody() {
        assertThatCode(() -> start("East Asia=http://localhost:8101/")).doesNotThrowAnyException();
    }

    @Test
    void elsewhereItDoesNot() {
        assertThatThrownBy(() -> start("West US=http://localhost:9081"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("look for West US at http://localhost:8081/?council=8083")
                .hasMessageContaining("not at http://localhost:9081/?council=9083");
        assertThatThrownBy(() -> start("North Europe=http://localhost:8091"))
                .isInstanceOf(UserError.class)
                .hasMessageContaining("?council=9000");
    }
}
