package dev.orrery.gateway.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CertificateFilesTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final String PASSWORD = "open sesame";

    private static final KeyPair RSA = keys("RSA");
    private static final KeyPair ELLIPTIC = keys("EC");
    private static final KeyPair EDWARDS = keys("Ed25519");

    @TempDir
    private Path folder;

    @Test
    void readsACertificateWithItsKeyBesideIt() throws Exception {
        var certificate = certificate(ELLIPTIC, "SHA256withECDSA", "CN=db.example");
        var loaded = load(file("cert.pem", pem(certificate)), file("key.pem", pkcs8(ELLIPTIC)));
        assertThat(loaded.pem()).isEqualTo(pem(certificate));
        assertThat(loaded.expiry()).isEqualTo(NOW.plus(Duration.ofDays(90)));
        assertThat(loaded.sslContext()).isSameAs(loaded.sslContext());
    }

    @Test
    void readsKeysOfAllKindsAndForms() throws Exception {
        var rsa = certificate(RSA, "SHA256withRSA", "CN=rsa.example");
        load(file("rsa.pem", pem(rsa)), file("rsa-key.pem", pkcs8(RSA)));
        load(file("rsa.pem", pem(rsa)), file("rsa-old-key.pem", pem(RSA.getPrivate())));
        load(made("elliptic.pem"), made("elliptic-old-form.pem"));
        var edwards = certificate(EDWARDS, "Ed25519", "CN=ed.example");
        load(file("ed.pem", pem(edwards)), file("ed-key.pem", pkcs8(EDWARDS)));
    }

    @Test
    void readsBothFromOneFileAndKeepsTheChain() throws Exception {
        var own = certificate(ELLIPTIC, "SHA256withECDSA", "CN=db.example");
        var authority = certificate(RSA, "SHA256withRSA", "CN=authority.example");
        var all = file("all.pem", pkcs8(ELLIPTIC) + pem(own) + pem(authority));
        assertThat(load(all, null).pem()).isEqualTo(pem(own) + pem(authority));
    }

    @Test
    void readsAKeyThatIsEncrypted() throws Exception {
        var cert = made("elliptic.pem");
        var key = made("elliptic-encrypted.pem");
        new CertificateFiles(cert, Optional.of(key), Optional.of(PASSWORD)).load();
        assertThatThrownBy(() -> new CertificateFiles(cert, Optional.of(key), Optional.of("guess")).load())
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("--certificate-password does not open");
        assertThatThrownBy(() -> load(cert, key)).hasMessageContaining("needs --certificate-password");
    }

    @Test
    void readsAPfx() throws Exception {
        var certificate = certificate(RSA, "SHA256withRSA", "CN=db.example");
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("any", RSA.getPrivate(), PASSWORD.toCharArray(), new Certificate[] {certificate});
        var pfx = folder.resolve("cert.pfx");
        try (var out = Files.newOutputStream(pfx)) {
            store.store(out, PASSWORD.toCharArray());
        }
        var files = new CertificateFiles(pfx, Optional.empty(), Optional.of(PASSWORD));
        assertThat(files.load().pem()).isEqualTo(pem(certificate));
        assertThat(files.paths()).containsExactly(pfx);
        assertThatThrownBy(() -> load(pfx, null)).hasMessageContaining("--certificate-password");
    }

    @Test
    void saysWhatIsWrong() throws Exception {
        var cert = file("cert.pem", pem(certificate(ELLIPTIC, "SHA256withECDSA", "CN=db.example")));
        assertThatThrownBy(() -> load(cert, null)).hasMessageContaining("--certificate-key");
        assertThatThrownBy(() -> load(cert, file("rsa-key.pem", pkcs8(RSA))))
                .hasMessageContaining("the key does not belong to the certificate");
        assertThatThrownBy(() -> load(cert, file("other-key.pem", pkcs8(keys("EC")))))
                .hasMessageContaining("the key does not belong to the certificate");
        assertThatThrownBy(() -> load(folder.resolve("none.pem"), null)).hasMessageContaining("there is no file");
        var key = file("key.pem", pkcs8(ELLIPTIC));
        assertThatThrownBy(() -> load(key, null)).hasMessageContaining("it holds no certificate");
        var cut = file(
                "cut.pem", pem(certificate(ELLIPTIC, "SHA256withECDSA", "CN=x")).substring(0, 200));
        assertThatThrownBy(() -> load(cut, key)).hasMessageContaining("cannot be used");
        assertThatThrownBy(() -> load(file("text.pem", "nothing of the kind"), null))
                .hasMessageContaining("neither PEM nor a PFX");
    }

    private static ServerCertificate load(Path certificate, Path key) {
        return new CertificateFiles(certificate, Optional.ofNullable(key), Optional.empty()).load();
    }

    /** Made with OpenSSL. */
    private static Path made(String name) throws URISyntaxException {
        return Path.of(CertificateFilesTest.class.getResource("/tls/" + name).toURI());
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content, StandardCharsets.US_ASCII);
    }

    private static KeyPair keys(String kind) {
        try {
            return KeyPairGenerator.getInstance(kind).generateKeyPair();
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static X509Certificate certificate(KeyPair keys, String algorithm, String name) throws Exception {
        var subject = new X500Name(name);
        var builder = new JcaX509v3CertificateBuilder(
                subject,
                BigInteger.valueOf(7),
                Date.from(NOW),
                Date.from(NOW.plus(Duration.ofDays(90))),
                subject,
                keys.getPublic());
        return new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder(algorithm).build(keys.getPrivate())));
    }

    /** As KeyAndCertificate writes it, so that both can be compared. */
    private static String pem(X509Certificate certificate) throws Exception {
        return new KeyAndCertificate(ELLIPTIC.getPrivate(), List.of(certificate)).certificatePem();
    }

    /** The form that names the kind of the key, as older tools write it. */
    private static String pem(Object key) throws IOException {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(key);
        }
        return text.toString();
    }

    private static String pkcs8(KeyPair keys) throws IOException {
        return pem(new PemObject("PRIVATE KEY", keys.getPrivate().getEncoded()));
    }
}
