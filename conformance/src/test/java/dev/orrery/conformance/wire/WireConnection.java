package dev.orrery.conformance.wire;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A plain connection that sends exactly the bytes it is told to. */
public final class WireConnection implements AutoCloseable {
    private static final int REPLY_TIMEOUT_MILLIS = 20_000;

    private final Socket socket;
    private final InputStream in;

    public WireConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(REPLY_TIMEOUT_MILLIS);
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

    /** Whether the server ends the connection within the time given, whatever else it sends before. */
    public boolean endsWithin(int millis) throws IOException {
        var deadline = System.nanoTime() + millis * 1_000_000L;
        try {
            while (System.nanoTime() < deadline) {
                socket.setSoTimeout((int) Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
                if (in.read() < 0) {
                    return true;
                }
            }
            return false;
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
