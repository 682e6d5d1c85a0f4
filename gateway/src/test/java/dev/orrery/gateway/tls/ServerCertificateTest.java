package dev.orrery.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerCertificateTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    private Path directory;

    private final SecureRandom random = new SecureRandom();

    @Test
    void coversTheLoopbackInterfaceAndTheGivenNames() throws Exception {
        var certificate = parse(load(NOW, "Build-Server.example", "10.1.2.3", "FE80::1", "*.dev.example"));
        assertThat(SubjectNames.of(certificate))
                .isEqualTo(SubjectNames.localAnd(
                        List.of("build-server.example", "10.1.2.3", "fe80:0:0:0:0:0:0:1", "*.dev.example")));
        assertThat(SubjectNames.of(certificate).hosts()).contains("localhost", "build-server.example");
        assertThat(SubjectNames.of(certificate).addresses()).contains("127.0.0.1", "0:0:0:0:0:0:0:1", "10.1.2.3");
    }

    @Test
    void isAServerCertificateAndNoAuthority() throws Exception {
        var certificate = parse(load(NOW));
        certificate.verify(certificate.getPublicKey());
        assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
        assertThat(certificate.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(certificate.getKeyUsage()).startsWith(true, false, false, false, false, false);
    }

    @Test
    void isValidNowAndNoLongerThanAppleAccepts() throws Exception {
        var certificate = parse(load(NOW));
        var from = certificate.getNotBefore().toInstant();
        var until = certificate.getNotAfter().toInstant();
        assertThat(from).isBefore(NOW.minus(Duration.ofHours(1)));
        assertThat(Duration.between(from, until)).isBetween(Duration.ofDays(730), Duration.ofDays(825));
    }

    @Test
    void coversTheMachineWhoseNameMayChangeLater() throws Exception {
        var first = load(Optional.of("Box-17"), NOW);
        assertThat(SubjectNames.of(parse(first)).hosts()).contains("box-17");
        assertThat(load(Optional.of("box-18"), NOW).pem()).isEqualTo(first.pem());
    }

    @Test
    void doesWithoutANameOfTheMachineThatNoCertificateCanHold() throws Exception {
        var certificate = parse(load(Optional.of("my machine"), NOW));
        assertThat(SubjectNames.of(certificate)).isEqualTo(SubjectNames.localAnd(List.of()));
    }

    @Test
    void isKeptForTheNextStart() {
        var first = load(NOW).pem();
        assertThat(load(NOW.plus(Duration.ofDays(300))).pem()).isEqualTo(first);
    }

    @Test
    void isKeptWhenFewerNamesAreWanted() {
        var first = load(NOW, "a.example", "b.example").pem();
        assertThat(load(NOW, "b.example").pem()).isEqualTo(first);
    }

    @Test
    void isMadeAnewWhenANameIsMissing() throws Exception {
        var first = load(NOW, "a.example").pem();
        var second = load(NOW, "b.example");
        assertThat(second.pem()).isNotEqualTo(first);
        assertThat(SubjectNames.of(parse(second)).hosts()).contains("b.example");
        assertThat(load(NOW, "b.example").pem()).isEqualTo(second.pem());
    }

    @Test
    void isMadeAnewShortlyBeforeItExpires() {
        var first = load(NOW);
        var late = first.expiry().minus(Duration.ofDays(31));
        assertThat(load(late).pem()).isEqualTo(first.pem());
        var tooLate = first.expiry().minus(Duration.ofDays(29));
        assertThat(load(tooLate).expiry()).isAfter(tooLate.plus(Duration.ofDays(700)));
    }

    @Test
    void isMadeAnewWhenItWasMadeByAClockFarAhead() {
        load(NOW.plus(Duration.ofDays(3650)));
        assertThat(load(NOW).expiry()).isBefore(NOW.plus(Duration.ofDays(825)));
    }

    @Test
    void keepsItsKeyToTheOwnerAndTheCertificateForAll() throws IOException {
        assumeTrue(FileSystems.getDefault().supportedFileAttributeViews().contains("posix"), "no file rights here");
        var certificate = load(NOW);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("orrery.pem"))))
                .isEqualTo("rw-------");
        assertThat(Files.readString(directory.resolve("cert.pem"))).isEqualTo(certificate.pem());
        assertThat(certificate.pem()).doesNotContain("KEY");
    }

    @Test
    void bringsBackThePublishedCertificate() throws IOException {
        load(NOW);
        Files.delete(directory.resolve("cert.pem"));
        assertThat(directory.resolve("cert.pem")).doesNotExist();
        var certificate = load(NOW);
        assertThat(Files.readString(directory.resolve("cert.pem"))).isEqualTo(certificate.pem());
    }

    @Test
    void saysWhatToDeleteWhenTheFileIsBroken() throws IOException {
        load(NOW);
        var file = directory.resolve("orrery.pem");
        var good = Files.readString(file);
        for (var broken : List.of(
                "",
                "nonsense",
                good.substring(0, good.length() / 2),
                good.replace("-----BEGIN CERTIFICATE-----\n", "-----BEGIN CERTIFICATE-----\nAAAA"),
                good.replace("-----BEGIN PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----\nAAAA"),
                "x".repeat(100_000))) {
            Files.writeString(file, broken);
            assertThatThrownBy(() -> load(NOW))
                    .isInstanceOf(UncheckedIOException.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("Delete this file");
        }
    }

    @Test
    void noticesAKeyOfAnotherCertificate(@TempDir Path other) throws IOException {
        load(NOW);
        ServerCertificate.loadOrCreate(other, List.of(), Optional.empty(), Clock.fixed(NOW, ZoneOffset.UTC), random);
        var mine = Files.readString(directory.resolve("orrery.pem"));
        var theirs = Files.readString(other.resolve("orrery.pem"));
        var begin = "-----BEGIN CERTIFICATE-----";
        Files.writeString(
                directory.resolve("orrery.pem"),
                mine.substring(0, mine.indexOf(begin)) + theirs.substring(theirs.indexOf(begin)));
        assertThatThrownBy(() -> load(NOW)).hasMessageContaining("does not belong");
    }

    @Test
    void isNotMadeForWhatIsNoName() {
        for (var name : List.of("", "a b", "über.example", "http://a", "a,b", "-a", "1.2.3.4/8")) {
            assertThatThrownBy(() -> load(NOW, name)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(directory.resolve("orrery.pem")).doesNotExist();
    }

    @Test
    void leavesNoTraceWhenNotKept() throws Exception {
        var certificate = ServerCertificate.create(
                List.of("a.example"), Optional.empty(), Clock.fixed(NOW, ZoneOffset.UTC), random);
        assertThat(SubjectNames.of(parse(certificate)).hosts()).contains("a.example");
        assertThat(certificate.sslContext().isServer()).isTrue();
        assertThat(directory).isEmptyDirectory();
    }

    private ServerCertificate load(Instant now, String... names) {
        return load(Optional.empty(), now, names);
    }

    private ServerCertificate load(Optional<String> machine, Instant now, String... names) {
        var clock = Clock.fixed(now, ZoneOffset.UTC);
        return ServerCertificate.loadOrCreate(directory, List.of(names), machine, clock, random);
    }

    private static X509Certificate parse(ServerCertificate certificate) throws GeneralSecurityException {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(certificate.pem().getBytes(StandardCharsets.US_ASCII)));
    }
}
