package dev.orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionTokenTest {
    @ParameterizedTest
    @ValueSource(strings = {"0:-1#12", "0:-1#12,1:-1#11"})
    void aTokenReadsBackAsItWasWritten(String text) {
        assertThat(SessionToken.parse(text)).hasToString(text);
    }

    @Test
    void thePartOfTheRangeCountsAndTheOthersDoNot() {
        var token = SessionToken.parse("0:-1#12,1:-1#11,7:-1#99");

        assertThat(token.lsnFor(1, List.of())).isEqualTo(11);
        assertThat(token.lsnFor(2, List.of())).isZero();
    }

    @Test
    void aRangeInheritsWhatWasSeenOfItsParents() {
        var token = SessionToken.parse("0:-1#12");

        assertThat(token.lsnFor(2, List.of(0))).isEqualTo(12);
        assertThat(SessionToken.parse("0:-1#12,2:-1#30").lsnFor(2, List.of(0))).isEqualTo(30);
    }

    @Test
    void aTokenOfSeveralWriteRegionsGivesItsGlobalLsn() {
        assertThat(SessionToken.parse("0:1#9#4=8#5=7").lsnFor(0, List.of())).isEqualTo(9);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", ":1#2", "0:", "0:a#1", "0:-1#", "0:-1#12,"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> SessionToken.parse(text)).isInstanceOf(FailureException.class);
    }
}
