package dev.orrery.bench.harness;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** One request after another on a connection that stays open, with as little in between as there can be. */
public final class KeepAliveConnection implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int STATUS_POSITION = "HTTP/1.1 ".length();

    /**
     * One page of a feed.
     *
     * @param more whether there is another page
     * @param etag empty when the reply has none
     */
    public record Reply(int status, String body, boolean more, String etag) {}

    private final Endpoint endpoint;
    private Socket socket;
    private InputStream in;

    public KeepAliveConnection(Endpoint endpoint) {
        this.endpoint = endpoint;
        connect();
    }

    public Reply send(byte[] request) {
        try {
            return exchange(request);
        } catch (IOException _) {
            // Servers close connections that were idle for a while; a request may cross the news on its way.
            close();
            connect();
            try {
                return exchange(request);
            } catch (IOException e) {
                throw new BenchException("The server on port " + endpoint.port() + " does not answer: " + e, e);
            }
        }
    }

    /** Like {@link #send}; anything but success ends the measurement. */
    public Reply demand(byte[] request) {
        var reply = send(request);
        if (reply.status() < 200 || reply.status() > 299) {
            throw new BenchException("A request was answered with " + reply.status() + ": " + reply.body());
        }
        return reply;
    }

    private void connect() {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
        } catch (IOException e) {
            throw new BenchException("The server on port " + endpoint.port() + " takes no connection: " + e, e);
        }
    }

    private Reply exchange(byte[] request) throws IOException {
        socket.getOutputStream().write(request);
        int status = Integer.parseInt(line().substring(STATUS_POSITION, STATUS_POSITION + 3));
        int length = 0;
        boolean chunked = false;
        boolean more = false;
        var etag = "";
        for (var header = line(); !header.isEmpty(); header = line()) {
            int colon = header.indexOf(':');
            var value = header.substring(colon + 1).strip();
            switch (header.substring(0, colon).toLowerCase(Locale.ROOT)) {
                case "content-length" -> length = Integer.parseInt(value);
                case "transfer-encoding" -> chunked = value.equals("chunked");
                case "x-ms-continuation" -> more = true;
                case "etag" -> etag = value;
                default -> {}
            }
        }
        var body = new String(chunked ? chunks() : bytes(length), StandardCharsets.UTF_8);
        return new Reply(status, body, more, etag);
    }

    private byte[] chunks() throws IOException {
        var all = new ByteArrayOutputStream();
        for (int size = chunkSize(); size > 0; size = chunkSize()) {
            all.write(bytes(size));
            line();
        }
        line();
        return all.toByteArray();
    }

    private int chunkSize() throws IOException {
        return Integer.parseInt(line(), 16);
    }

    private byte[] bytes(int count) throws IOException {
        var bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("the connection ended within a reply");
        }
        return bytes;
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended within a reply");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new BenchException("A connection cannot be closed: " + e, e);
        }
    }
}
