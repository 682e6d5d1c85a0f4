package dev.orrery.gateway.client;

import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts any certificate, for servers on this machine: they sign their own, and nobody can come between. Anywhere else
 * the certificate has to be one that the runtime trusts.
 */
public final class LoopbackTrust extends X509ExtendedTrustManager {
    private LoopbackTrust() {}

    /** Whether an address is one of this machine, over https. */
    public static boolean applies(URI endpoint) {
        try {
            return "https".equals(endpoint.getScheme())
                    && InetAddress.getByName(endpoint.getHost()).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false;
        }
    }

    /** For such an address. */
    public static SSLContext context() {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new LoopbackTrust()}, null);
            return context;
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java runtime has TLS", missing);
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }
}
