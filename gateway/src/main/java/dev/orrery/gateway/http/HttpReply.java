package dev.orrery.gateway.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/**
 * What goes back to the client: a status, headers and the body in parts, which are written without being joined first.
 * {@code Date}, {@code Content-Length}, {@code Transfer-Encoding} and {@code Connection} are added by the server and must
 * not be set here. A body is not sent with 204 and 304, nor in answer to HEAD.
 */
public final class HttpReply {
    private final int status;
    private final List<Object> headers;
    private final List<ByteBuffer> body;
    private final Optional<BodyStream> stream;
    private final boolean close;
    private final AtomicReference<Runnable> whenGone = new AtomicReference<>(() -> {});

    private HttpReply(Builder builder) {
        this.status = builder.status;
        this.headers = builder.headers;
        this.body = List.copyOf(builder.body);
        this.stream = Optional.ofNullable(builder.stream);
        this.close = builder.close;
    }

    public static Builder status(int status) {
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("not the status of a final reply: " + status);
        }
        return new Builder(status);
    }

    public int status() {
        return status;
    }

    /** True when the connection is closed after this reply. */
    public boolean close() {
        return close;
    }

    /** The parts of the body, in order. Their content must not change until the reply is on the wire. */
    public List<ByteBuffer> body() {
        return body;
    }

    /** What the body is taken from instead of its parts, if its end is not known yet. */
    public Optional<BodyStream> stream() {
        return stream;
    }

    /** Has something done when the body is kept here no longer: it has been sent, or nobody is left to send it to. */
    public HttpReply whenGone(Runnable action) {
        whenGone.set(action);
        return this;
    }

    /** Said by whoever sends it, as often as he likes. */
    public void gone() {
        whenGone.getAndSet(() -> {}).run();
    }

    /** How long the body is, as far as it is known. */
    public long bodyLength() {
        long length = 0;
        for (var part : body) {
            length += part.remaining();
        }
        return length;
    }

    /** Every header in order. */
    public void forEachHeader(BiConsumer<String, String> action) {
        for (var i = 0; i < headers.size(); ) {
            if (headers.get(i) instanceof HeaderBlock block) {
                for (var j = 0; j < block.pairs().size(); j += 2) {
                    action.accept(block.pairs().get(j), block.pairs().get(j + 1));
                }
                i++;
            } else {
                action.accept((String) headers.get(i), (String) headers.get(i + 1));
                i += 2;
            }
        }
    }

    /** Every header in order. Slow: for logs and tests. */
    public List<Map.Entry<String, String>> headers() {
        var entries = new ArrayList<Map.Entry<String, String>>();
        forEachHeader((name, value) -> entries.add(Map.entry(name, value)));
        return entries;
    }

    /** First value of a header. Slow: for logs and tests. */
    public Optional<String> header(String name) {
        return headers().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** The body joined into one array. Slow: for logs and tests. */
    public byte[] bodyBytes() {
        var out = new ByteArrayOutputStream();
        for (var part : body) {
            var bytes = new byte[part.remaining()];
            part.duplicate().get(bytes);
            out.writeBytes(bytes);
        }
        return out.toByteArray();
    }

    /** Alternating name and value, with whole {@link HeaderBlock}s in between. */
    List<Object> rawHeaders() {
        return headers;
    }

    static String checkedName(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a header needs a name");
        }
        for (var i = 0; i < name.length(); i++) {
            var c = name.charAt(i);
            if (c <= ' ' || c == ':' || c >= 0x7f) {
                throw new IllegalArgumentException("a header name has a character that HTTP does not allow");
            }
        }
        return name;
    }

    // A line break in a value would let whoever chose the value write headers, or replies, of their own.
    static String checkedValue(String value) {
        for (var i = 0; i < value.length(); i++) {
            var c = value.charAt(i);
            if (c < ' ' || c >= 0x7f) {
                throw new IllegalArgumentException("a header value has a character that HTTP does not allow");
            }
        }
        return value;
    }

    /** Collects a reply. */
    public static final class Builder {
        private final int status;
        private final List<Object> headers = new ArrayList<>(32);
        private final List<ByteBuffer> body = new ArrayList<>(3);
        private BodyStream stream;
        private boolean close;

        private Builder(int status) {
            this.status = status;
        }

        /** Adds a header; the value must be printable ASCII, anything else is refused as a bug of the caller. */
        public Builder header(String name, String value) {
            headers.add(checkedName(name));
            headers.add(checkedValue(value));
            return this;
        }

        public Builder headers(HeaderBlock block) {
            headers.add(block);
            return this;
        }

        /** Appends a part to the body: everything between its position and its limit. */
        public Builder body(ByteBuffer part) {
            body.add(part);
            return this;
        }

        public Builder body(byte[] part) {
            return body(ByteBuffer.wrap(part));
        }

        /** Takes the body from a stream, and closes the connection after its end. */
        public Builder stream(BodyStream source) {
            stream = source;
            return close();
        }

        /** Closes the connection after the reply. */
        public Builder close() {
            close = true;
            return this;
        }

        public HttpReply build() {
            return new HttpReply(this);
        }
    }
}
