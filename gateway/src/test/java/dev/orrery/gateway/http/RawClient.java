package dev.orrery.gateway.http;

import dev.orrery.store.Await;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A client that sends exactly the bytes it is told to, and reads replies strictly. */
final class RawClient implements AutoCloseable {

    private final Socket socket;
    private final InputStream in;

    private RawClient(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        socket.setSoTimeout((int) Await.PATIENCE.toMillis());
        socket.setTcpNoDelay(true);
    }

    /** One reply; the names of its headers are in lower case. */
    record Reply(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    static RawClient to(HttpServer server) throws IOException {
        return over(new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port()));
    }

    static RawClient over(Socket socket) throws IOException {
        return new RawClient(socket);
    }

    RawClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        socket.getOutputStream().flush();
        return this;
    }

    /** Sends as much as the server takes, when it may close the connection meanwhile. */
    RawClient sendIfTaken(byte[] bytes) {
        try {
            return send(bytes);
        } catch (IOException closed) {
            return this;
        }
    }

    RawClient stopSending() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    Reply reply() throws IOException {
        return reply(false);
    }

    Reply replyToHead() throws IOException {
        return reply(true);
    }

    /** The next reply, or nothing when the server has closed, however it did. */
    Optional<Reply> replyOrEnd() throws IOException {
        try {
            in.mark(1);
            if (in.read() < 0) {
                return Optional.empty();
            }
            in.reset();
            return Optional.of(reply());
        } catch (SocketException reset) {
            return Optional.empty();
        }
    }

    private Reply reply(boolean headOnly) throws IOException {
        var statusLine = line();
        if (!statusLine.startsWith("HTTP/1.1 ")) {
            throw new IOException("not a status line: " + statusLine);
        }
        var status = Integer.parseInt(statusLine.substring(9, 12));
        var headers = new TreeMap<String, String>();
        for (var line = line(); !line.isEmpty(); line = line()) {
            var colon = line.indexOf(": ");
            headers.put(line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 2));
        }
        var length = headOnly ? 0 : Integer.parseInt(headers.getOrDefault("content-length", "0"));
        var body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("the body ends early");
        }
        return new Reply(status, headers, new String(body, StandardCharsets.UTF_8));
    }

    private String line() throws IOException {
        var line = new ByteArrayOutputStream();
        for (var b = in.read(); b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new EOFException("the connection ends within a line: " + line);
            }
            line.write(b);
        }
        var text = line.toString(StandardCharsets.ISO_8859_1);
        if (!text.endsWith("\r")) {
            throw new IOException("a line without a carriage return: " + text);
        }
        return text.substring(0, text.length() - 1);
    }

    /** Waits for the server to close; false when it sends something instead. */
    boolean isClosed() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketException reset) {
            return true;
        }
    }

    /** Breaks the connection without a word. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    /** Ends the connection before the test ends. */
    void hangUp() throws IOException {
        close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
