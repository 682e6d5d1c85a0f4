package dev.orrery.bench.harness;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;

/** One request and its reply on a connection of their own, for what is not measured. */
public final class Exchange {
    private static final Pattern CONTENT_LENGTH = Pattern.compile("(?im)^content-length: *(\\d+)");

    /** A reply as it came, one character for each byte. */
    public record Reply(int status, String text) {}

    private Exchange() {}

    static Reply send(Endpoint endpoint, byte[] request) {
        try (Socket socket = connect(endpoint)) {
            socket.getOutputStream().write(request);
            return read(new BufferedInputStream(socket.getInputStream()));
        } catch (IOException e) {
            throw new BenchException("The server on port " + endpoint.port() + " does not answer: " + e, e);
        }
    }

    /** Like {@link #send}; anything but the statuses of success ends the measurement. */
    public static Reply demand(Endpoint endpoint, byte[] request) {
        var reply = send(endpoint, request);
        if (reply.status() < 200 || reply.status() > 299) {
            var asked = new String(request, StandardCharsets.US_ASCII).lines().findFirst();
            throw new BenchException(asked.orElse("") + " was answered with\n" + reply.text());
        }
        return reply;
    }

    private static Socket connect(Endpoint endpoint) throws IOException {
        if (!endpoint.secure()) {
            return new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
        }
        try {
            var tls = SSLContext.getInstance("TLS");
            // Certificates made by the servers themselves, on this machine.
            tls.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
            return tls.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), endpoint.port());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private static Reply read(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the connection ended within a reply");
            }
            head.append((char) next);
        }
        var length = CONTENT_LENGTH.matcher(head);
        var body = length.find() ? in.readNBytes(Integer.parseInt(length.group(1))) : new byte[0];
        return new Reply(Integer.parseInt(head.substring(9, 12)), head + new String(body, StandardCharsets.ISO_8859_1));
    }
}
