package dev.orrery.conformance.direct;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.OptionalInt;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A connection to the port of Direct mode that sends whatever a test wants, and frames put together by hand. */
final class FrameSocket implements AutoCloseable {
    private static final int HEAD_START_BYTES = 24;
    private static final int REFUSED = 400;
    private static final byte ULONG = 0x02;
    private static final byte BYTE = 0x00;
    private static final byte STRING = 0x08;

    private final SSLSocket socket;
    private final DataInputStream in;

    FrameSocket(int port) throws IOException {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new TrustingAll()}, null);
            socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
        in = new DataInputStream(socket.getInputStream());
    }

    /** Where a server speaks Direct mode. */
    static int portOf(OrreryServer server) {
        return new WireClient(server)
                .get("/_orrery/status")
                .json()
                .path("directPort")
                .intValue();
    }

    /** Sends; one that the server has left already may fail, which the reply shows as well. */
    FrameSocket send(byte[] bytes) throws IOException {
        try {
            socket.getOutputStream().write(bytes);
        } catch (SocketException | SSLException _) {
            // The reply tells.
        }
        return this;
    }

    /** What the server sends until it ends the connection. */
    String rest() throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }

    /** The status of the next reply, nothing when the connection has ended instead. */
    OptionalInt status() throws IOException {
        try {
            int headBytes = Integer.reverseBytes(in.readInt());
            var head = ByteBuffer.allocate(headBytes - Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            in.readFully(head.array());
            if (hasPayload(head)) {
                in.readFully(new byte[Integer.reverseBytes(in.readInt())]);
            }
            return OptionalInt.of(head.getInt(0));
        } catch (EOFException | SocketException | SSLException _) {
            return OptionalInt.empty();
        }
    }

    /** Replies begin with the token that says so. The one to a context has none, and words only if it refuses. */
    private static boolean hasPayload(ByteBuffer head) {
        int first = HEAD_START_BYTES - Integer.BYTES;
        return head.get(first + 2) == BYTE ? head.get(first + 3) == 1 : head.getInt(0) >= REFUSED;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    static byte[] context(int version) {
        return new Frame(0, 0)
                .number(0x00, version)
                .text(0x01, "2020-07-15")
                .text(0x02, "a test")
                .bytes();
    }

    /** A frame in the making: a head, and a payload where a test gives one. */
    static final class Frame {
        private final ByteArrayOutputStream tokens = new ByteArrayOutputStream();
        private final int resource;
        private final int operation;

        Frame(int resource, int operation) {
            this.resource = resource;
            this.operation = operation;
        }

        Frame flag(int id, boolean value) {
            return token(id, BYTE, new byte[] {(byte) (value ? 1 : 0)});
        }

        Frame number(int id, int value) {
            return token(id, ULONG, little(Integer.BYTES).putInt(value).array());
        }

        Frame text(int id, String value) {
            var bytes = value.getBytes(StandardCharsets.UTF_8);
            return token(
                    id,
                    STRING,
                    little(Short.BYTES + bytes.length)
                            .putShort((short) bytes.length)
                            .put(bytes)
                            .array());
        }

        /** A token of any type, with its value as it stands. */
        Frame token(int id, byte type, byte[] value) {
            tokens.writeBytes(little(3).putShort((short) id).put(type).array());
            tokens.writeBytes(value);
            return this;
        }

        byte[] bytes() {
            return claiming(HEAD_START_BYTES + tokens.size());
        }

        /** The frame, whose head claims a length that may be a lie. */
        byte[] claiming(int headBytes) {
            return little(HEAD_START_BYTES + tokens.size())
                    .putInt(headBytes)
                    .putShort((short) resource)
                    .putShort((short) operation)
                    .putLong(1)
                    .putLong(2)
                    .put(tokens.toByteArray())
                    .array();
        }

        /** The frame with a payload, which claims a length that may be a lie. */
        byte[] withPayload(int claimedBytes, byte[] payload) {
            var head = flag(0x02, true).bytes();
            return little(head.length + Integer.BYTES + payload.length)
                    .put(head)
                    .putInt(claimedBytes)
                    .put(payload)
                    .array();
        }

        private static ByteBuffer little(int bytes) {
            return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    private static final class TrustingAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
