package dev.orrery.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Host header names a host or is refused. */
class HostFieldTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "localhost",
                "localhost:8081",
                "127.0.0.1:1",
                "[::1]",
                "[::1]:8081",
                "my_service:80",
                "a.example.",
                "x:",
                "%41.example"
            })
    void namesAndAddressesAreWellFormed(String text) {
        assertThat(HostField.isWellFormed(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                ":80",
                "a b",
                "a/b",
                "a@b",
                "a:b",
                "a:80:80",
                "a:800000",
                "[",
                "[]",
                "[::1",
                "[::1]x",
                "[x]",
                "::1",
                "a#b",
                "a?b",
                "\u00e4",
                "http://a",
                "a\\b",
                "<a>",
                "a\""
            })
    void anythingElseIsNot(String text) {
        assertThat(HostField.isWellFormed(text)).isFalse();
    }
}
