package dev.orrery.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.TestRequest;
import dev.orrery.model.Failure;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServedNamesTest {
    private static final ServedNames NAMED =
            ServedNames.of(List.of("orrery", "DB.example:8081", "*.test.example", "10.0.0.7"), false);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LocalHost:8081",
                "localhost.:8081",
                "shop.localhost:1",
                "127.0.0.1:49153",
                "127.8.9.1",
                "[::1]:8081",
                "[::1]"
            })
    void everyWayToNameThisMachineIsServed(String host) {
        assertThat(refusal(ServedNames.LOOPBACK, host)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "evil.example:8081",
                "localhost.evil.example",
                "127.0.0.1.evil.example",
                "notlocalhost",
                "10.0.0.7",
                "0.0.0.0:8081",
                "[::]:8081",
                "[::ffff:10.0.0.7]",
                "a b",
                "127.0.0.1@evil.example",
                "localhost:8081@evil.example",
                ":",
                "]:",
                "[localhost"
            })
    void nothingElseIs(String host) {
        assertThat(refusal(ServedNames.LOOPBACK, host)).get().isInstanceOf(Failure.Misdirected.class);
    }

    @ParameterizedTest
    @CsvSource({
        "orrery:8081,true",
        "ORRERY,true",
        "db.example,true",
        "db.example.:443,true",
        "a.test.example,true",
        "10.0.0.7:8081,true",
        "test.example,false",
        "a.b.test.example,false",
        "orrery.example,false",
        "10.0.0.8,false"
    })
    void namesThatWereGivenAreServed(String host, boolean served) {
        assertThat(refusal(NAMED, host).isEmpty()).isEqualTo(served);
    }

    @Test
    void anyAddressIsServedWhereThatIsWanted() {
        var open = ServedNames.of(List.of(), true);
        assertThat(refusal(open, "172.17.0.2:8081")).isEmpty();
        assertThat(refusal(open, "[fd00::2]:8081")).isEmpty();
        assertThat(refusal(open, "evil.example")).isPresent();
    }

    @Test
    void theRefusalNamesTheOptionsThatHelp() {
        assertThat(refusal(ServedNames.LOOPBACK, "orrery:8081").orElseThrow().message())
                .contains("--certificate-name orrery,", "ORRERY_CERTIFICATE_NAMES=orrery", "--advertise", "--key");
    }

    @Test
    void whoeverNamesNoHostIsServed() {
        assertThat(ServedNames.LOOPBACK.refusal(
                        TestRequest.get("/").without("host").unsigned()))
                .isEmpty();
    }

    private static Optional<Failure> refusal(ServedNames names, String host) {
        return names.refusal(TestRequest.get("/").header("host", host).unsigned());
    }
}
