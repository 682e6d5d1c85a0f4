package dev.orrery.gateway.tls;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's certificate: one of one's own, or self-signed and kept: {@code orrery.pem} holds key and certificate, readable by the owner
 * only; {@code cert.pem} beside it is the certificate alone, for clients to trust.
 */
public final class ServerCertificate {
    private static final Logger log = LoggerFactory.getLogger(ServerCertificate.class);
    private static final Duration RENEW_BEFORE_EXPIRY = Duration.ofDays(30);
    private static final long FILE_BYTES_MAX = 64 * 1024;

    private final KeyAndCertificate pair;

    private SslContext context;

    ServerCertificate(KeyAndCertificate pair) {
        this.pair = pair;
    }

    /**
     * Loads the certificate of a directory, or makes one there: also when the old one is about to expire or lacks one of
     * the names. A certificate with more names than wanted is kept, so that clients need not trust a new one.
     *
     * @param names host names and addresses besides those of the loopback interface
     * @param machine what this machine calls itself: goes into a new certificate, but a kept one may do without, because
     *     a container calls itself something else each time it is made
     */
    public static ServerCertificate loadOrCreate(
            Path directory, List<String> names, Optional<String> machine, Clock clock, SecureRandom random) {
        var wanted = SubjectNames.localAnd(names);
        var made = wanted.and(machine);
        var file = directory.resolve("orrery.pem");
        try {
            Files.createDirectories(directory);
            if (!Files.exists(file)) {
                return makeAndKeep(file, made, clock.instant(), random);
            }
            var kept = load(file);
            if (isFit(kept, wanted, clock.instant())) {
                var certificate = new ServerCertificate(kept);
                certificate.publish(directory);
                return certificate;
            }
            log.info(
                    "Making a new certificate in {}: the old one expires soon or lacks a name. Clients must trust it"
                            + " anew.",
                    directory);
            return makeAndKeep(file, made, clock.instant(), random);
        } catch (IOException | GeneralSecurityException e) {
            throw unusable(file, e);
        }
    }

    /** Makes a certificate that is not kept anywhere. */
    public static ServerCertificate create(
            List<String> names, Optional<String> machine, Clock clock, SecureRandom random) {
        var made = SubjectNames.localAnd(names).and(machine);
        return new ServerCertificate(CertificateMaker.make(made, clock.instant(), random));
    }

    /**
     * What the server needs for TLS; all connections share it, and with it what they need to resume. Wraps a context of the JDK, since the one that Netty builds first probes the JDK with
     * certificates of its own, for longer than the rest of the server needs to start.
     */
    public synchronized SslContext sslContext() {
        if (context == null) {
            context = newContext();
        }
        return context;
    }

    private SslContext newContext() {
        try {
            var tls = SSLContext.getInstance("TLS");
            // No client is asked for a certificate, so there is nobody to trust.
            tls.init(new KeyManager[] {new SingleKey(pair)}, new TrustManager[0], null);
            return new JdkSslContext(
                    tls,
                    false,
                    null,
                    SupportedCipherSuiteFilter.INSTANCE,
                    ApplicationProtocolConfig.DISABLED,
                    ClientAuth.NONE,
                    new String[] {"TLSv1.3", "TLSv1.2"},
                    false);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    /** The certificate for clients to trust, without its key. */
    public String pem() {
        try {
            return pair.certificatePem();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was read cannot be written", e);
        }
    }

    public Instant expiry() {
        return pair.certificate().getNotAfter().toInstant();
    }

    private static boolean isFit(KeyAndCertificate kept, SubjectNames wanted, Instant now)
            throws GeneralSecurityException {
        var from = kept.certificate().getNotBefore().toInstant();
        var until = kept.certificate().getNotAfter().toInstant();
        return !now.isBefore(from)
                && now.isBefore(until.minus(RENEW_BEFORE_EXPIRY))
                && SubjectNames.of(kept.certificate()).cover(wanted);
    }

    private static KeyAndCertificate load(Path file) throws IOException, GeneralSecurityException {
        if (Files.size(file) > FILE_BYTES_MAX) {
            throw new IOException("it is too large");
        }
        return KeyAndCertificate.decode(Files.readString(file, StandardCharsets.ISO_8859_1));
    }

    private static ServerCertificate makeAndKeep(Path file, SubjectNames names, Instant now, SecureRandom random)
            throws IOException, GeneralSecurityException {
        var pair = CertificateMaker.make(names, now, random);
        replace(file, pair.encode(), "rw-------");
        var certificate = new ServerCertificate(pair);
        certificate.publish(file.getParent());
        return certificate;
    }

    private void publish(Path directory) throws IOException {
        var file = directory.resolve("cert.pem");
        if (!Files.exists(file)
                || !Files.readString(file, StandardCharsets.ISO_8859_1).equals(pem())) {
            replace(file, pem(), "rw-------");
        }
    }

    // Whole or not at all, and never readable by others for a moment: the rights are there before the content.
    private static void replace(Path file, String content, String rights) throws IOException {
        var draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        try (var channel = FileChannel.open(
                draft, EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), attributes(rights))) {
            var bytes = ByteBuffer.wrap(content.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static FileAttribute<?>[] attributes(String rights) {
        var posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(rights))}
                : new FileAttribute<?>[0];
    }

    private static UncheckedIOException unusable(Path file, Exception cause) {
        var message = "The certificate in " + file + " cannot be used: " + cause.getMessage()
                + ". Delete this file to have a new one made, which clients must then trust anew.";
        return new UncheckedIOException(message, cause instanceof IOException io ? io : new IOException(cause));
    }
}
