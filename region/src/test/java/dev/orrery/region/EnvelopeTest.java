package dev.orrery.region;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is no message of this format is refused in words that help. */
class EnvelopeTest {
    private static final Charter CHARTER =
            Charter.founding(List.of(new Member("West US", 0, "http://localhost:8081/", "localhost:8083", false)));

    private final byte[] bytes = new Envelope("shop", "West US", CHARTER, new Message.Greeting()).encode();

    @Test
    void aMessageIsReadAsItWasWritten() {
        var read = Envelope.decode(bytes);
        assertThat(read.account()).isEqualTo("shop");
        assertThat(read.sender()).isEqualTo("West US");
        assertThat(read.charter()).isEqualTo(CHARTER);
        assertThat(read.message()).isEqualTo(new Message.Greeting());
    }

    @Test
    void anotherFormatIsRefusedAndBothNumbersAreTold() {
        bytes[4]++;
        assertThatThrownBy(() -> Envelope.decode(bytes))
                .hasMessageContaining("speaks format " + bytes[4])
                .hasMessageContaining("the same version of Orrery in all regions");
    }

    @Test
    void whatIsNoMessageIsRefused() {
        assertThatThrownBy(
                        () -> Envelope.decode("hello, who is there?".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                .hasMessage("What arrived is no message between regions.");
    }

    @Test
    void aDamagedMessageIsRefused() {
        bytes[9] ^= 0x55;
        assertThatThrownBy(() -> Envelope.decode(bytes)).isInstanceOf(Envelope.UnreadableException.class);
    }
}
