package dev.orrery.example.common;

import static org.assertj.core.api.Assertions.assertThat;

import com.azure.cosmos.CosmosException;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class ExplanationTest {
    @Test
    void anEndThatWasForeseenHasWordsAlready() {
        assertThat(Explanation.of(new IllegalStateException(new DemoException("No."))))
                .hasValue("No.");
    }

    @Test
    void aServerThatIsGoneIsCalledThat() {
        var gone = "The server does not answer any more.";
        assertThat(Explanation.of(new Refusal(503, "kilobytes", new UnknownHostException("localhost-local"))))
                .hasValue(gone);
        assertThat(Explanation.of(new IllegalStateException(new TimeoutException())))
                .hasValue(gone);
    }

    @Test
    void anAnswerIsToldUpToItsFirstLine() {
        assertThat(Explanation.of(new RuntimeException(new Refusal(400, "This is wrong.\nActivityId: 1", null))))
                .hasValue("The server answered with status 400: This is wrong.");
        assertThat(Explanation.of(new Refusal(401, "kilobytes", null))).hasValue("The server does not accept the key.");
    }

    @Test
    void whatMustNotHappenHasNoWords() {
        assertThat(Explanation.of(new IllegalStateException("a bug"))).isEmpty();
    }

    private static final class Refusal extends CosmosException {
        private static final long serialVersionUID = 1L;

        Refusal(int status, String message, Throwable cause) {
            super(status, message, Map.of(), cause);
        }
    }
}
