package dev.orrery.example.modeling.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OccasionTest {
    @Test
    void theCommandIsToldWithoutTheKey() {
        assertThat(Occasion.command(List.of("embed", "--key", "c2VjcmV0", "--runs", "5")))
                .isEqualTo("./orrery demo modeling embed --runs 5");
        assertThat(Occasion.command(List.of("--endpoint", "http://localhost:8081", "--key=c2VjcmV0")))
                .isEqualTo("./orrery demo modeling --endpoint http://localhost:8081");
        assertThat(Occasion.command(List.of())).isEqualTo("./orrery demo modeling");
    }
}
