package dev.orrery.gateway.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;

/**
 * A certificate of one's own, with its key.
 *
 * @param certificate PEM with the certificate and those that vouch for it, or a PFX (PKCS #12) that holds the key as well
 * @param key PEM with the key; absent if it lies with the certificate
 * @param password of the PFX, or of a key that is encrypted
 */
public record CertificateFiles(Path certificate, Optional<Path> key, Optional<String> password) {
    private static final long FILE_BYTES_MAX = 1024 * 1024;

    /** What to look at to notice a new certificate. */
    public List<Path> paths() {
        var paths = new ArrayList<>(List.of(certificate));
        key.ifPresent(paths::add);
        return paths;
    }

    /** Reads the files as they are now; what is wrong with them is in the message of the exception. */
    public ServerCertificate load() {
        try {
            var pair = read();
            pair.demandThatTheyBelongTogether();
            return new ServerCertificate(pair);
        } catch (IOException | GeneralSecurityException | IllegalArgumentException problem) {
            var message = "The certificate in " + certificate + " cannot be used: " + problem.getMessage();
            throw new UncheckedIOException(message, problem instanceof IOException io ? io : new IOException(problem));
        }
    }

    private KeyAndCertificate read() throws IOException, GeneralSecurityException {
        var content = content(certificate);
        var text = new String(content, StandardCharsets.ISO_8859_1);
        if (!text.contains("-----BEGIN ")) {
            return ofKeyStore(content);
        }
        var keyText = key.isPresent() ? new String(content(key.get()), StandardCharsets.ISO_8859_1) : text;
        return new KeyAndCertificate(key(keyText), chain(text));
    }

    private static byte[] content(Path file) throws IOException {
        if (!Files.exists(file)) {
            throw new IOException("there is no file " + file);
        }
        if (Files.size(file) > FILE_BYTES_MAX) {
            throw new IOException(file + " is too large");
        }
        return Files.readAllBytes(file);
    }

    private KeyAndCertificate ofKeyStore(byte[] content) throws IOException, GeneralSecurityException {
        var store = KeyStore.getInstance("PKCS12");
        var secret = password.orElse("").toCharArray();
        try {
            store.load(new ByteArrayInputStream(content), secret);
        } catch (IOException unreadable) {
            throw new IOException("it is neither PEM nor a PFX that --certificate-password opens", unreadable);
        }
        for (var alias : Collections.list(store.aliases())) {
            if (store.getKey(alias, secret) instanceof PrivateKey found) {
                var chain = Arrays.stream(store.getCertificateChain(alias))
                        .map(X509Certificate.class::cast)
                        .toList();
                return new KeyAndCertificate(found, chain);
            }
        }
        throw new GeneralSecurityException("it holds no key");
    }

    private static List<X509Certificate> chain(String pem) throws IOException, GeneralSecurityException {
        var factory = CertificateFactory.getInstance("X.509");
        var chain = new ArrayList<X509Certificate>();
        try (var parser = new PEMParser(new StringReader(pem))) {
            for (var section = parser.readObject(); section != null; section = parser.readObject()) {
                if (section instanceof X509CertificateHolder holder) {
                    chain.add((X509Certificate)
                            factory.generateCertificate(new ByteArrayInputStream(holder.getEncoded())));
                }
            }
        }
        if (chain.isEmpty()) {
            throw new GeneralSecurityException("it holds no certificate");
        }
        return chain;
    }

    private PrivateKey key(String pem) throws IOException, GeneralSecurityException {
        try (var parser = new PEMParser(new StringReader(pem))) {
            for (var section = parser.readObject(); section != null; section = parser.readObject()) {
                switch (section) {
                    case PrivateKeyInfo plain -> {
                        return new JcaPEMKeyConverter().getPrivateKey(plain);
                    }
                    case PEMKeyPair pair -> {
                        return new JcaPEMKeyConverter().getPrivateKey(pair.getPrivateKeyInfo());
                    }
                    case PKCS8EncryptedPrivateKeyInfo encrypted -> {
                        return decrypted(encrypted.getEncoded());
                    }
                    case PEMEncryptedKeyPair _ ->
                        throw new GeneralSecurityException("its key is encrypted in an old way. Convert it with:"
                                + " openssl pkcs8 -topk8 -in old.pem -out key.pem");
                    default -> {} // certificates, and parameters of keys
                }
            }
        }
        throw new GeneralSecurityException("there is no key: name its file with --certificate-key");
    }

    private PrivateKey decrypted(byte[] encoded) throws IOException, GeneralSecurityException {
        var secret = password.orElseThrow(
                () -> new GeneralSecurityException("its key is encrypted, and needs --certificate-password"));
        var encrypted = new EncryptedPrivateKeyInfo(encoded);
        var parameters = encrypted.getAlgParameters();
        // Of the newer kind of encryption, the parameters tell which one it is.
        var algorithm = parameters == null ? encrypted.getAlgName() : parameters.toString();
        var key = SecretKeyFactory.getInstance(algorithm).generateSecret(new PBEKeySpec(secret.toCharArray()));
        try {
            return new JcaPEMKeyConverter()
                    .getPrivateKey(
                            PrivateKeyInfo.getInstance(encrypted.getKeySpec(key).getEncoded()));
        } catch (GeneralSecurityException wrong) {
            throw new GeneralSecurityException("--certificate-password does not open its key", wrong);
        }
    }
}
