package dev.orrery.gateway.route;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent escapes of paths and headers: UTF-8 bytes, in which a plus sign is a plus sign. */
public final class PercentCoding {
    private static final char[] DIGITS = "0123456789ABCDEF".toCharArray();

    private PercentCoding() {}

    /** The text behind the escapes; refuses escapes that are cut short, not hexadecimal or not UTF-8. */
    public static String decode(String text) {
        if (isPlain(text)) {
            return text;
        }
        var bytes = new byte[text.length()];
        int length = 0;
        boolean ascii = true;
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '%') {
                bytes[length] = escape(text, at);
                ascii &= bytes[length] >= 0;
                at += 2;
            } else if (character < 0x80) {
                bytes[length] = (byte) character;
            } else {
                throw malformed("has a character that must be percent-encoded");
            }
            length++;
        }
        return ascii
                ? new String(bytes, 0, length, StandardCharsets.US_ASCII)
                : utf8(ByteBuffer.wrap(bytes, 0, length));
    }

    private static String utf8(ByteBuffer bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
        } catch (CharacterCodingException _) {
            throw malformed("has percent escapes that are not UTF-8");
        }
    }

    private static boolean isPlain(String text) {
        for (int at = 0; at < text.length(); at++) {
            char character = text.charAt(at);
            if (character == '%' || character >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static byte escape(String text, int percent) {
        if (percent + 2 >= text.length()) {
            throw malformed("ends within a percent escape");
        }
        int high = Character.digit(text.charAt(percent + 1), 16);
        int low = Character.digit(text.charAt(percent + 2), 16);
        if (high < 0 || low < 0) {
            throw malformed("has a percent sign that does not begin an escape");
        }
        return (byte) (high << 4 | low);
    }

    private static FailureException malformed(String how) {
        return new FailureException(new Failure.BadRequest("The address " + how + "."));
    }

    /** Everything but letters, digits and {@code -_.~} escaped, so that nothing of the text can get lost on the way. */
    public static String encode(String text) {
        var encoded = new StringBuilder(text.length() + 16);
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (octet & 0xff);
            if (character < 0x80 && (Character.isLetterOrDigit(character) || "-_.~".indexOf(character) >= 0)) {
                encoded.append(character);
            } else {
                encoded.append('%').append(DIGITS[character >> 4]).append(DIGITS[character & 0xf]);
            }
        }
        return encoded.toString();
    }

    /**
     * Escapes the percent sign and whatever a header cannot hold, and nothing else: SDKs that decode the value get it
     * back, and those that do not still find ordinary names unchanged.
     */
    public static String encodeForHeader(String text) {
        int plain = 0;
        while (plain < text.length() && fitsHeader(text.charAt(plain))) {
            plain++;
        }
        if (plain == text.length()) {
            return text;
        }
        var encoded = new StringBuilder(text.length() + 16);
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (octet & 0xff);
            if (fitsHeader(character)) {
                encoded.append(character);
            } else {
                encoded.append('%').append(DIGITS[character >> 4]).append(DIGITS[character & 0xf]);
            }
        }
        return encoded.toString();
    }

    private static boolean fitsHeader(char character) {
        return character >= ' ' && character < 0x7f && character != '%';
    }
}
