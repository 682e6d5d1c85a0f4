package dev.orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTokenTest {
    @Test
    void oneRangeIsWrittenAsClientsReadIt() {
        assertThat(SessionToken.of(0, 123)).hasToString("0:-1#123");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0:-1#123|0:-1#123",
                "7:1#9#4=8#5=7|7:1#9#4=8#5=7",
                "0:-1#12,1:-1#11|0:-1#12,1:-1#11",
                " 0:-1#12 , 1:1#3#0=2|0:-1#12,1:1#3#0=2",
                "3:45|3:-1#45",
                "0:-1#12,|0:-1#12"
            })
    void readsEveryFormThatClientsSend(String sent, String written) {
        assertThat(SessionToken.parse(sent)).hasToString(written);
    }

    @Test
    void takesTheTokenOfSeveralWritersApart() {
        var part = SessionToken.parse("7:1#9#4=8#5=7").parts().getFirst();
        assertThat(part.rangeId()).isEqualTo("7");
        assertThat(part.version()).isEqualTo(1);
        assertThat(part.lsn()).isEqualTo(9);
        assertThat(part.regionLsns()).isEqualTo(Map.of(4, 8L, 5, 7L));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "0",
                "0:",
                ":1",
                "0:-1#",
                "0:-1#x",
                "0:-1#1#",
                "0:-1#1#2",
                "0:-1#1#a=1",
                "0:-1#1#2=",
                "0:99999999999999999999#1"
            })
    void refusesWhatIsNoToken(String text) {
        assertThatThrownBy(() -> SessionToken.parse(text))
                .isInstanceOfSatisfying(
                        FailureException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.BadRequest.class));
    }

    @Test
    void onlyTheRangeAndItsAncestorsCount() {
        var token = SessionToken.parse("0:-1#12,1:-1#99,4:-1#20,M:-1#77");

        assertThat(token.lsnFor(0, List.of())).isEqualTo(12);
        assertThat(token.lsnFor(3, List.of(0))).isEqualTo(12);
        assertThat(token.lsnFor(4, List.of(0, 2))).isEqualTo(20);
        assertThat(token.lsnFor(5, List.of(0, 4))).isEqualTo(20);
        assertThat(token.lsnFor(8, List.of(7))).isZero();
    }
}
