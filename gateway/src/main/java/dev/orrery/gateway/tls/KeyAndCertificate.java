package dev.orrery.gateway.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A private key and the certificate for it; as text, two PEM sections: {@code PRIVATE KEY} (PKCS #8), {@code CERTIFICATE}.
 *
 * @param chain the certificate, then those that vouch for it, if any
 */
record KeyAndCertificate(PrivateKey key, List<X509Certificate> chain) {
    private static final String KEY = "PRIVATE KEY";
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, new byte[] {'\n'});

    KeyAndCertificate {
        chain = List.copyOf(chain);
    }

    X509Certificate certificate() {
        return chain.getFirst();
    }

    String encode() throws GeneralSecurityException {
        return section(KEY, key.getEncoded()) + certificatePem();
    }

    /** The public half, as trust stores want it. */
    String certificatePem() throws GeneralSecurityException {
        var pem = new StringBuilder();
        for (var certificate : chain) {
            pem.append(section(CERTIFICATE, certificate.getEncoded()));
        }
        return pem.toString();
    }

    static KeyAndCertificate decode(String pem) throws GeneralSecurityException {
        var key = KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(content(pem, KEY)));
        var certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(content(pem, CERTIFICATE)));
        var pair = new KeyAndCertificate(key, List.of(certificate));
        pair.demandThatTheyBelongTogether();
        return pair;
    }

    void demandThatTheyBelongTogether() throws GeneralSecurityException {
        if (!key.getAlgorithm().equals(certificate().getPublicKey().getAlgorithm()) || !signsForCertificate()) {
            throw new GeneralSecurityException("the key does not belong to the certificate");
        }
    }

    private boolean signsForCertificate() throws GeneralSecurityException {
        var probe = "probe".getBytes(StandardCharsets.US_ASCII);
        var signature = Signature.getInstance(
                switch (key.getAlgorithm()) {
                    case "EC" -> "SHA256withECDSA";
                    case "RSA" -> "SHA256withRSA";
                    case "EdDSA" -> "EdDSA";
                    default ->
                        throw new GeneralSecurityException("TLS has no use for a key of kind " + key.getAlgorithm());
                });
        signature.initSign(key);
        signature.update(probe);
        var signed = signature.sign();
        signature.initVerify(certificate().getPublicKey());
        signature.update(probe);
        return signature.verify(signed);
    }

    private static String section(String title, byte[] content) {
        return "-----BEGIN " + title + "-----\n" + LINES.encodeToString(content) + "\n-----END " + title + "-----\n";
    }

    private static byte[] content(String pem, String title) throws GeneralSecurityException {
        var section = Pattern.compile("-----BEGIN " + title + "-----([A-Za-z0-9+/=\\s]*)-----END " + title + "-----")
                .matcher(pem);
        if (!section.find()) {
            throw new GeneralSecurityException("it holds no " + title);
        }
        try {
            return Base64.getMimeDecoder().decode(section.group(1));
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("its " + title + " is damaged", e);
        }
    }
}
