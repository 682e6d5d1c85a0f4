package dev.orrery.conformance.wire;

import dev.orrery.conformance.Await;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A plain connection that sends exactly the bytes it is told to. */
public final class WireConnection implements AutoCloseable {
    private final Socket socket;
    private final InputStream in;

    public WireConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout((int) Await.PATIENCE.toMillis());
        in = new BufferedInputStream(socket.getInputStream());
    }

    public void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
    }

    public WireReply reply() throws IOException {
        return WireReply.read(in, false);
    }

    public WireReply replyWithoutBody() throws IOException {
        return WireReply.read(in, true);
    }

    /** Says that nothing more will be sent, while replies can still be read. */
    public void finishSending() throws IOException {
        socket.shutdownOutput();
    }

    /** Everything that comes before the server ends the connection. */
    public String rest() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    /** Waits until the server ends the connection, whatever else it sends before. */
    public void awaitEnd() throws IOException {
        try {
            in.readAllBytes();
        } catch (SocketTimeoutException stillOpen) {
            throw new AssertionError("the server does not end the connection", stillOpen);
        } catch (IOException reset) {
            // An end as well.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
