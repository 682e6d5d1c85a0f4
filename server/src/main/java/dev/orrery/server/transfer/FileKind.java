package dev.orrery.server.transfer;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What a file holds, as its name says. */
public record FileKind(Optional<Format> format, Compression compression) {
    private static final Map<String, Compression> PACKED =
            Map.of(".gz", Compression.GZIP, ".zst", Compression.ZSTD, ".zstd", Compression.ZSTD);

    private static final Map<String, Format> FORMATS =
            Map.of(".ndjson", Format.NDJSON, ".jsonl", Format.NDJSON, ".json", Format.JSON, ".csv", Format.CSV);

    /** No format when the ending is none of those known. */
    public static FileKind of(String fileName) {
        var name = fileName.toLowerCase(Locale.ROOT);
        var packed = PACKED.keySet().stream().filter(name::endsWith).findFirst();
        var rest = packed.map(ending -> name.substring(0, name.length() - ending.length()))
                .orElse(name);
        return new FileKind(
                FORMATS.keySet().stream().filter(rest::endsWith).findFirst().map(FORMATS::get),
                packed.map(PACKED::get).orElse(Compression.NONE));
    }
}
