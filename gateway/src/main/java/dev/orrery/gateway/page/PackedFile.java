package dev.orrery.gateway.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;

/** A file in both of the forms it is sent in, and a tag that changes with its content. */
@SuppressWarnings("ArrayRecordComponent") // Carried, never compared.
record PackedFile(String contentType, byte[] plain, byte[] zipped, String etag, boolean lasting) {
    private static final int TAG_BYTES = 12;

    static PackedFile of(PageFile file) {
        return new PackedFile(
                file.contentType(), file.content(), zip(file.content()), tag(file.content()), file.lasting());
    }

    private static byte[] zip(byte[] content) {
        var out = new ByteArrayOutputStream();
        try (var zip = new GZIPOutputStream(out)) {
            zip.write(content);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return out.toByteArray();
    }

    private static String tag(byte[] content) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(content);
            return '"' + HexFormat.of().formatHex(digest, 0, TAG_BYTES) + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
