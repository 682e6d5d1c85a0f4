package dev.orrery.server.backup;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What one backup consists of:
 *
 * <pre>
 * orrery backup 1
 * time                       of the server when it began, such as 2026-11-18T09:00:00Z
 * checksum size name         of each file, checksum and size in hexadecimal
 * checksum                   of all lines before
 * </pre>
 */
public record BackupList(Instant time, List<BackupFile> files) {
    private static final String TITLE = "orrery backup 1";
    private static final String NAME_PATTERN = "[A-Za-z0-9.-]+";

    public BackupList {
        files = List.copyOf(files);
    }

    public long bytes() {
        return files.stream().mapToLong(BackupFile::size).sum();
    }

    String encode() {
        var text = new StringBuilder(TITLE).append('\n').append(time).append('\n');
        for (var file : files) {
            text.append(HexFormat.of().toHexDigits(file.checksum()))
                    .append(' ')
                    .append(Long.toHexString(file.size()))
                    .append(' ')
                    .append(file.name())
                    .append('\n');
        }
        return text.append(sum(text.toString())).append('\n').toString();
    }

    /** Throws unless the text is what was written. */
    static BackupList decode(String name, String text) {
        int last = text.lastIndexOf('\n', text.length() - 2) + 1;
        var lines = text.substring(0, last).lines().toList();
        if (lines.size() < 2
                || !lines.getFirst().equals(TITLE)
                || !text.substring(last).equals(sum(text.substring(0, last)) + "\n")) {
            throw new BackupException("The list of the backup " + name + " is damaged.");
        }
        var files = new ArrayList<BackupFile>();
        try {
            for (var line : lines.subList(2, lines.size())) {
                var words = line.split(" ", 3);
                files.add(checked(
                        new BackupFile(words[2], Long.parseLong(words[1], 16), HexFormat.fromHexDigits(words[0]))));
            }
            return new BackupList(Instant.parse(lines.get(1)), files);
        } catch (DateTimeParseException | IllegalArgumentException malformed) {
            throw new BackupException("The list of the backup " + name + " cannot be read.", malformed);
        }
    }

    /** A name never leads out of a folder, whoever made it. */
    static BackupFile checked(BackupFile file) {
        if (!file.name().matches(NAME_PATTERN) || file.name().startsWith(".") || file.size() < 0) {
            throw new BackupException("'" + file.name() + "' is no file of a store.");
        }
        return file;
    }

    private static String sum(String text) {
        var sum = new CRC32C();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().toHexDigits((int) sum.getValue());
    }
}
