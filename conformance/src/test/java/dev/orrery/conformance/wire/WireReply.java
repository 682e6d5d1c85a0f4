package dev.orrery.conformance.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A reply as it came over the socket. */
public record WireReply(int status, Map<String, String> headers, String body) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public Optional<String> header(String name) {
        return Optional.ofNullable(headers.get(name));
    }

    public int substatus() {
        return header("x-ms-substatus").map(Integer::parseInt).orElse(0);
    }

    public JsonNode json() {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException malformed) {
            throw new AssertionError("the body is no JSON: " + body, malformed);
        }
    }

    /** Reads one reply; {@code bodiless} when the request was a HEAD. */
    static WireReply read(InputStream in, boolean bodiless) throws IOException {
        var statusLine = line(in);
        var status = Integer.parseInt(statusLine.split(" ", 3)[1]);
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        for (var line = line(in); !line.isEmpty(); line = line(in)) {
            var colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).strip(), line.substring(colon + 1).strip());
        }
        var empty = bodiless || status == 204 || status == 304 || status < 200;
        var body = empty ? new byte[0] : body(in, headers);
        return new WireReply(status, headers, new String(body, encoding(headers)));
    }

    /** Binary keeps one character for each byte. */
    private static Charset encoding(Map<String, String> headers) {
        return headers.getOrDefault("content-type", "").equals("application/octet-stream")
                ? StandardCharsets.ISO_8859_1
                : StandardCharsets.UTF_8;
    }

    private static byte[] body(InputStream in, Map<String, String> headers) throws IOException {
        if (headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")) {
            var body = new ByteArrayOutputStream();
            for (var size = Integer.parseInt(line(in), 16); size > 0; size = Integer.parseInt(line(in), 16)) {
                body.writeBytes(exactly(in, size));
                line(in);
            }
            line(in);
            return body.toByteArray();
        }
        return headers.containsKey("content-length")
                ? exactly(in, Integer.parseInt(headers.get("content-length")))
                : in.readAllBytes();
    }

    private static byte[] exactly(InputStream in, int count) throws IOException {
        var bytes = in.readNBytes(count);
        if (bytes.length < count) {
            throw new EOFException("the connection ended " + (count - bytes.length) + " bytes before the reply did");
        }
        return bytes;
    }

    private static String line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (var next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended instead of a reply; read so far: \"" + line + "\"");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
    }
}
