package dev.orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import org.junit.jupiter.api.Test;

class RidTest {
    private final Rid database = Rid.parse("AQIDBA==");
    private final Rid container = Rid.container(database, 1);

    @Test
    void aContainerHasTheTopBitOfItsNumberSet() {
        assertThat(container).hasToString("AQIDBIAAAAE=");
        assertThat(container.containerNumber()).isEqualTo(1);
    }

    @Test
    void aUserHasTheTopBitOfItsNumberClear() {
        assertThat(Rid.user(database, 1).bytes()).containsExactly(1, 2, 3, 4, 0, 0, 0, 1);
    }

    @Test
    void theNumberOfADocumentIsLittleEndianAndItsLastNibbleSaysDocument() {
        var document = Rid.document(container, 5);

        assertThat(document).hasToString("AQIDBIAAAAEFAAAAAAAAAA==");
        assertThat(document.documentNumber()).isEqualTo(5);
        assertThat(document.isDocumentOf(container)).isTrue();
        assertThat(document.isDocumentOf(Rid.container(database, 2))).isFalse();
    }

    @Test
    void aRangeIsToldFromADocumentByItsLastNibble() {
        var range = Rid.partitionRange(container, 3);

        assertThat(range.bytes()[15] >> 4).isEqualTo(5);
        assertThat(range.isDocumentOf(container)).isFalse();
    }

    @Test
    void anOfferHasFourCharacters() {
        assertThat(Rid.offer(77).toString()).hasSize(4);
    }

    @Test
    void aSlashIsWrittenAsADash() {
        var rid = Rid.ofBytes(Base64.getDecoder().decode("//8A/w=="));

        assertThat(rid).hasToString("--8A-w==");
        assertThat(Rid.find("--8A-w==")).contains(rid);
    }

    @Test
    void aNameIsNoRid() {
        assertThat(Rid.find("shop")).map(rid -> rid.bytes().length).contains(3);
        assertThat(Rid.find("orders")).isEmpty();
        assertThat(Rid.find("a b!")).isEmpty();
        assertThat(Rid.find("")).isEmpty();
    }
}
