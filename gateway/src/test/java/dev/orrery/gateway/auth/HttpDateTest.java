package dev.orrery.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpDateTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Sun, 15 Nov 2026 18:19:28 GMT | 2026-11-15T18:19:28Z
        sun, 15 nov 2026 18:19:28 gmt | 2026-11-15T18:19:28Z
        Thu, 01 Jan 1970 00:00:00 GMT | 1970-01-01T00:00:00Z
        Sat, 5 Sep 2026 01:02:03 GMT  | 2026-09-05T01:02:03Z
        Thu, 29 Feb 2024 23:59:59 GMT | 2024-02-29T23:59:59Z
        """)
    void readsTheDatesThatClientsSend(String text, Instant instant) {
        assertThat(HttpDate.parse(text)).hasValue(instant.getEpochSecond());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "now",
                "2026-11-15T18:19:28Z",
                "Sun, 15 Nov 2026 18:19:28 CET",
                "Sun, 31 Feb 2026 18:19:28 GMT",
                "Sun, 15 Nox 2026 18:19:28 GMT",
                "Sun, 15 Nov 2026 25:19:28 GMT",
                "Sun, +5 Nov 2026 18:19:28 GMT",
                "Sun, 015 Nov 2026 18:19:28 GMT",
                "Sun,  Nov 2026 18:19:28 GMT",
                "Sun, 15 Nov 2026 18:19:28 GMT "
            })
    void refusesEverythingElse(String text) {
        assertThat(HttpDate.parse(text)).isEmpty();
    }

    @Test
    void readsWhatItWrites() {
        var instant = Instant.parse("2026-09-05T01:02:03Z");
        assertThat(HttpDate.format(instant)).isEqualTo("Sat, 05 Sep 2026 01:02:03 GMT");
        assertThat(HttpDate.parse(HttpDate.format(instant))).hasValue(instant.getEpochSecond());
    }
}
