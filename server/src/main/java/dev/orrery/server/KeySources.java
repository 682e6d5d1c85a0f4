package dev.orrery.server;

import dev.orrery.gateway.auth.AccountKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Where the keys of the account come from; without a primary one, it is the well-known key. */
record KeySources(
        Optional<KeySource> primary,
        Optional<KeySource> secondary,
        Optional<KeySource> readOnly,
        Optional<KeySource> secondaryReadOnly) {

    private static final long FILE_BYTES_MAX = 4096;

    /** Where one key comes from. */
    sealed interface KeySource {
        /** Given as it is. */
        record Text(String text) implements KeySource {
            /** Keys must not appear in logs. */
            @Override
            public String toString() {
                return "Text[...]";
            }
        }

        /** Alone in a file, which is read again when it changes. */
        record InFile(Path file) implements KeySource {}
    }

    /** The keys as they are now. */
    AccountKeys read() {
        return new AccountKeys(
                primary.map(KeySources::read).orElse(AccountKeys.WELL_KNOWN),
                secondary.map(KeySources::read),
                readOnly.map(KeySources::read),
                secondaryReadOnly.map(KeySources::read));
    }

    /** What may change while the server runs. */
    List<Path> files() {
        return Stream.of(primary, secondary, readOnly, secondaryReadOnly)
                .flatMap(Optional::stream)
                .filter(KeySource.InFile.class::isInstance)
                .map(source -> ((KeySource.InFile) source).file())
                .toList();
    }

    private static String read(KeySource source) {
        return switch (source) {
            case KeySource.Text(var text) -> checked(text, "A key");
            case KeySource.InFile(var file) -> checked(content(file), "The key in " + file);
        };
    }

    private static String content(Path file) {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new UserError("The key file " + file + " is too large to hold a key and nothing else.");
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1).strip();
        } catch (IOException problem) {
            throw new UserError("The key file " + file + " cannot be read: " + problem, problem);
        }
    }

    private static String checked(String key, String what) {
        try {
            AccountKeys.of(key);
            return key;
        } catch (IllegalArgumentException bad) {
            throw new UserError(
                    what + " must be base64 text; make one with: openssl rand -base64 64 | tr -d '\\n'", bad);
        }
    }
}
