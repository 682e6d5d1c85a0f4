package dev.orrery.conformance.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A request as bytes: nothing is checked, so that anything can be sent. */
public final class WireRequest {
    /** One header line. */
    public record Header(String name, String value) {}

    private final String method;
    private final String path;
    private final List<Header> headers;
    private final byte[] body;

    private WireRequest(String method, String path, List<Header> headers, byte[] body) {
        this.method = method;
        this.path = path;
        this.headers = List.copyOf(headers);
        this.body = body;
    }

    public static WireRequest of(String method, String path) {
        return new WireRequest(method, path, List.of(), new byte[0]);
    }

    public String method() {
        return method;
    }

    public String path() {
        return path;
    }

    public List<Header> headers() {
        return headers;
    }

    public WireRequest header(String name, String value) {
        var more = new ArrayList<>(headers);
        more.add(new Header(name, value));
        return new WireRequest(method, path, more, body);
    }

    public WireRequest body(String text) {
        return body(text.getBytes(StandardCharsets.UTF_8));
    }

    public WireRequest body(byte[] bytes) {
        return new WireRequest(method, path, headers, bytes);
    }

    boolean has(String name) {
        return headers.stream().anyMatch(header -> header.name().equalsIgnoreCase(name));
    }

    byte[] bytes(String host) {
        var head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
        if (!has("host")) {
            head.append("Host: ").append(host).append("\r\n");
        }
        headers.forEach(header ->
                head.append(header.name()).append(": ").append(header.value()).append("\r\n"));
        if (!has("content-length") && !has("transfer-encoding") && (body.length > 0 || !method.equals("GET"))) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        head.append("\r\n");
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        bytes.writeBytes(body);
        return bytes.toByteArray();
    }
}
