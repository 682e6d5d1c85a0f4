package dev.orrery.gateway.tls;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/** Encryption for those who prove by other means who they are, and bind that proof to the connection. */
public final class PassingCertificate {
    private PassingCertificate() {}

    /** With a certificate that is made now and kept nowhere; takes any of the other side. */
    public static SSLContext context(Instant now, SecureRandom random) {
        try {
            var pair = CertificateMaker.make(SubjectNames.localAnd(List.of()), now, random);
            var context = SSLContext.getInstance("TLSv1.3");
            context.init(
                    new KeyManager[] {new SingleKey(pair)},
                    InsecureTrustManagerFactory.INSTANCE.getTrustManagers(),
                    random);
            return context;
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java runtime has TLS", missing);
        }
    }
}
