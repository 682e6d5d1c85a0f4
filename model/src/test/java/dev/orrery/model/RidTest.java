package dev.orrery.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.Rid.Kind;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RidTest {
    private static final Rid DATABASE = Rid.database(0x01020304);
    private static final Rid CONTAINER = Rid.container(DATABASE, 1);
    private static final Rid USER = Rid.user(DATABASE, 5);

    @Test
    void laysOutBytesAsClientsTakeThemApart() {
        assertThat(hex(DATABASE)).isEqualTo("01020304");
        assertThat(hex(CONTAINER)).isEqualTo("0102030480000001");
        assertThat(hex(USER)).isEqualTo("0102030400000005");
        assertThat(hex(Rid.permission(USER, 6))).isEqualTo("01020304000000050000000000000006");
        assertThat(hex(Rid.clientEncryptionKey(DATABASE, 7))).isEqualTo("01020304000000000000000700000002");
        assertThat(hex(Rid.document(CONTAINER, 0x0123456789abcdL))).isEqualTo("0102030480000001cdab896745230100");
        assertThat(hex(Rid.partitionRange(CONTAINER, 3))).isEqualTo("01020304800000010300000000000050");
        assertThat(hex(Rid.containerChild(Kind.STORED_PROCEDURE, CONTAINER, 1)))
                .isEqualTo("01020304800000010100000000000080");
        assertThat(hex(Rid.attachment(Rid.document(CONTAINER, 1), 2)))
                .isEqualTo("0102030480000001010000000000000000000002");
        assertThat(hex(Rid.offer(0x010203))).isEqualTo("030201");
    }

    @Test
    void writesBase64WithADashForASlash() {
        assertThat(DATABASE).hasToString("AQIDBA==");
        assertThat(CONTAINER).hasToString("AQIDBIAAAAE=");
        assertThat(Rid.offer(0x3f3ffc)).hasToString("-D8-");
        assertThat(Rid.offer(1).toString()).hasSize(4);
    }

    @Test
    void readsWhatItWroteOfEveryKind() {
        for (var kind : Kind.values()) {
            var rid = example(kind);
            assertThat(Rid.parse(rid.toString())).isEqualTo(rid).hasSameHashCodeAs(rid);
            assertThat(Rid.parse(rid.toString()).kind()).isEqualTo(kind);
            assertThat(Rid.ofBytes(rid.bytes())).isEqualTo(rid);
            assertThat(Rid.ofBytes(rid.bytes()).kind()).isEqualTo(kind);
        }
    }

    private static Rid example(Kind kind) {
        return switch (kind) {
            case OFFER -> Rid.offer(0xfedcba);
            case DATABASE -> DATABASE;
            case USER -> USER;
            case PERMISSION -> Rid.permission(USER, Integer.MAX_VALUE);
            case CLIENT_ENCRYPTION_KEY -> Rid.clientEncryptionKey(DATABASE, 9);
            case CONTAINER -> Rid.container(DATABASE, Integer.MAX_VALUE);
            case ATTACHMENT -> Rid.attachment(Rid.document(CONTAINER, 8), 4);
            case DOCUMENT,
                    CONFLICT,
                    PARTITION_RANGE,
                    USER_DEFINED_FUNCTION,
                    TRIGGER,
                    STORED_PROCEDURE,
                    SCHEMA,
                    PARTITIONED_SYSTEM_DOCUMENT,
                    SYSTEM_DOCUMENT,
                    HISTORICAL_PARTITION_RANGE -> Rid.containerChild(kind, CONTAINER, 77);
        };
    }

    @Test
    void knowsTheNumbersInside() {
        var document = Rid.document(CONTAINER, 1L << 58);
        assertThat(document.documentNumber()).isEqualTo(1L << 58);
        assertThat(document.containerNumber()).isEqualTo(1);
        assertThat(Rid.container(DATABASE, Integer.MAX_VALUE).containerNumber()).isEqualTo(Integer.MAX_VALUE);
        assertThat(document.isDocumentOf(CONTAINER)).isTrue();
        assertThat(document.isDocumentOf(Rid.container(DATABASE, 2))).isFalse();
        assertThat(document.isDocumentOf(DATABASE)).isFalse();
        assertThat(Rid.partitionRange(CONTAINER, 0).isDocumentOf(CONTAINER)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "d",
                "container",
                "AQIDBA",
                "AQIDB===",
                "AQID BA=",
                "AQIDBAUG",
                "AQIDBB==",
                "AQIDBIAAAAEAAAAAAAAAEA==",
                "names/with/slash",
                "AQIDBIAAAAEAAAAAAAAAAAAAAAAAAAAAAA=="
            })
    void whatIsNoResourceIdMayBeAName(String text) {
        assertThat(Rid.find(text)).isEmpty();
        assertThatThrownBy(() -> Rid.parse(text))
                .isInstanceOfSatisfying(
                        FailureException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.BadRequest.class));
    }

    @ParameterizedTest
    @CsvSource({"AQIDBA==, DATABASE", "AQIDBIAAAAE=, CONTAINER", "Ab12, OFFER", "AQIDBAAAAAU=, USER"})
    void tellsKindsApart(String text, Kind kind) {
        assertThat(Rid.parse(text).kind()).isEqualTo(kind);
    }

    @Test
    void impossibleNumbersAreBugs() {
        var impossible = List.<Runnable>of(
                () -> Rid.database(0),
                () -> Rid.container(CONTAINER, 1),
                () -> Rid.document(CONTAINER, 1L << 59),
                () -> Rid.document(CONTAINER, -1),
                () -> Rid.offer(1 << 24),
                () -> Rid.containerChild(Kind.USER, CONTAINER, 1),
                () -> USER.containerNumber(),
                () -> CONTAINER.documentNumber());

        assertThat(impossible)
                .allSatisfy(made -> assertThatThrownBy(made::run).isInstanceOf(IllegalStateException.class));
    }

    private static String hex(Rid rid) {
        return HexFormat.of().formatHex(rid.bytes());
    }
}
