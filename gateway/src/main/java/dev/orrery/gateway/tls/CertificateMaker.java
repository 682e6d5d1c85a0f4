package dev.orrery.gateway.tls;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Makes self-signed server certificates. They are no certificate authorities: a client that trusts one trusts this server
 * and nothing else, which Java, Node, Python and browsers all accept of a self-signed certificate.
 */
final class CertificateMaker {
    // macOS refuses server certificates that are valid for more than 825 days.
    private static final Duration VALIDITY = Duration.ofDays(820);
    // Clocks of clients may be behind ours.
    private static final Duration SKEW = Duration.ofDays(1);
    private static final X500Name SUBJECT = new X500Name("CN=localhost,O=Orrery");
    private static final int SERIAL_BITS = 127;

    private CertificateMaker() {}

    static KeyAndCertificate make(SubjectNames names, Instant now, SecureRandom random) {
        try {
            var keys = keys(random);
            return new KeyAndCertificate(keys.getPrivate(), List.of(certificate(keys, names, now, random)));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("this JDK cannot make a certificate", e);
        }
    }

    private static KeyPair keys(SecureRandom random) throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    private static X509Certificate certificate(KeyPair keys, SubjectNames names, Instant now, SecureRandom random)
            throws GeneralSecurityException, OperatorCreationException, IOException {
        var identifiers = new JcaX509ExtensionUtils();
        var builder = new JcaX509v3CertificateBuilder(
                        SUBJECT,
                        new BigInteger(SERIAL_BITS, random).setBit(0),
                        Date.from(now.minus(SKEW)),
                        Date.from(now.minus(SKEW).plus(VALIDITY)),
                        SUBJECT,
                        keys.getPublic())
                .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                .addExtension(Extension.subjectAlternativeName, false, alternatives(names))
                .addExtension(
                        Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(keys.getPublic()))
                .addExtension(
                        Extension.authorityKeyIdentifier,
                        false,
                        identifiers.createAuthorityKeyIdentifier(keys.getPublic()));
        var signer = new JcaContentSignerBuilder("SHA256withECDSA")
                .setSecureRandom(random)
                .build(keys.getPrivate());
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }

    private static GeneralNames alternatives(SubjectNames names) {
        return new GeneralNames(Stream.concat(
                        names.hosts().stream().sorted().map(host -> new GeneralName(GeneralName.dNSName, host)),
                        names.addresses().stream()
                                .sorted()
                                .map(address -> new GeneralName(GeneralName.iPAddress, address)))
                .toArray(GeneralName[]::new));
    }
}
