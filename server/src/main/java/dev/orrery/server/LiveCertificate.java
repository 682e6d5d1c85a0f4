package dev.orrery.server;

import dev.orrery.gateway.tls.CertificateFiles;
import dev.orrery.gateway.tls.ServerCertificate;
import io.netty.handler.ssl.SslContext;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The certificate that the next connection gets; those that are open keep the one they were made with. */
final class LiveCertificate {
    private static final Logger LOG = LoggerFactory.getLogger(LiveCertificate.class);

    private volatile CompletableFuture<ServerCertificate> current;

    /** A first one may still be in the making. */
    LiveCertificate(CompletableFuture<ServerCertificate> first) {
        current = first;
    }

    /** Replaces the certificate when its files change. A bad or half-written one leaves the old in force. */
    void follow(CertificateFiles files, ScheduledExecutorService timer) {
        WatchedFiles.follow(files.paths(), () -> readAnew(files), timer);
    }

    private void readAnew(CertificateFiles files) {
        try {
            var read = files.load();
            read.sslContext();
            current = CompletableFuture.completedFuture(read);
            LOG.info("The certificate has been read anew; it is valid until {}", read.expiry());
        } catch (UncheckedIOException | IllegalStateException mistake) {
            LOG.warn("The certificate stays as it was: {}", mistake.getMessage());
        }
    }

    CompletionStage<SslContext> context() {
        return current.thenApply(ServerCertificate::sslContext);
    }

    ServerCertificate await() {
        return current.join();
    }
}
