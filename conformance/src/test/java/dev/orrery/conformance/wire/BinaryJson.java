package dev.orrery.conformance.wire;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes Cosmos binary JSON as the Rust client does: of every kind of value the plainest form. */
public final class BinaryJson {
    private BinaryJson() {}

    public static byte[] of(JsonNode value) {
        var document = new ByteArrayOutputStream();
        document.write(0x80);
        write(document, value);
        return document.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, JsonNode value) {
        switch (value.getNodeType()) {
            case NULL -> out.write(0xD0);
            case BOOLEAN -> out.write(value.booleanValue() ? 0xD2 : 0xD1);
            case NUMBER -> number(out, value);
            case STRING -> string(out, value.textValue());
            case ARRAY -> {
                var body = new ByteArrayOutputStream();
                value.forEach(item -> write(body, item));
                container(out, 0xE7, value.size(), body.toByteArray());
            }
            case OBJECT -> {
                var body = new ByteArrayOutputStream();
                value.properties().forEach(member -> {
                    string(body, member.getKey());
                    write(body, member.getValue());
                });
                container(out, 0xEF, value.size(), body.toByteArray());
            }
            case BINARY, MISSING, POJO -> throw new IllegalArgumentException("not JSON: " + value);
        }
    }

    private static void number(ByteArrayOutputStream out, JsonNode number) {
        if (number.isIntegralNumber()) {
            out.write(0xCB);
            little(out, 8, number.longValue());
        } else {
            out.write(0xCC);
            little(out, 8, Double.doubleToRawLongBits(number.doubleValue()));
        }
    }

    private static void string(ByteArrayOutputStream out, String text) {
        var utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length < 64) {
            out.write(0x80 + utf8.length);
        } else {
            out.write(0xC2);
            little(out, 4, utf8.length);
        }
        out.writeBytes(utf8);
    }

    private static void container(ByteArrayOutputStream out, int marker, int count, byte[] body) {
        out.write(marker);
        little(out, 4, body.length);
        little(out, 4, count);
        out.writeBytes(body);
    }

    private static void little(ByteArrayOutputStream out, int width, long number) {
        var bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(number);
        out.write(bytes.array(), 0, width);
    }
}
