package dev.orrery.example.modeling.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SurroundingsTest {
    @Test
    void theCommandIsToldWithoutTheKey() {
        assertThat(Surroundings.command(List.of("embed", "--key", "c2VjcmV0", "--runs", "5")))
                .isEqualTo("./orrery demo modeling embed --runs 5");
        assertThat(Surroundings.command(List.of("--endpoint", "http://localhost:8081", "--key=c2VjcmV0")))
                .isEqualTo("./orrery demo modeling --endpoint http://localhost:8081");
        assertThat(Surroundings.command(List.of())).isEqualTo("./orrery demo modeling");
    }
}
