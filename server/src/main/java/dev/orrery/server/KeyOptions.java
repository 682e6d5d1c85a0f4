package dev.orrery.server;

import dev.orrery.server.KeySources.KeySource;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The keys of the account: as they are, or each alone in a file. */
final class KeyOptions {
    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = {
                "Primary key, base64 (default: $ORRERY_KEY,",
                "or on loopback the well-known key of the emulators)."
            })
    private String key;

    @Option(names = "--secondary-key", paramLabel = "KEY", description = "Secondary key with the same rights.")
    private String secondaryKey;

    @Option(names = "--read-only-key", paramLabel = "KEY", description = "Key that may only read and query.")
    private String readOnlyKey;

    @Option(names = "--secondary-read-only-key", paramLabel = "KEY", description = "Another one.")
    private String secondaryReadOnlyKey;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with the primary key, read again when it changes.")
    private Path keyFile;

    @Option(names = "--secondary-key-file", paramLabel = "FILE", description = "The same for the secondary key.")
    private Path secondaryKeyFile;

    @Option(names = "--read-only-key-file", paramLabel = "FILE", description = "For the read-only key.")
    private Path readOnlyKeyFile;

    @Option(names = "--secondary-read-only-key-file", paramLabel = "FILE", description = "For the other one.")
    private Path secondaryReadOnlyKeyFile;

    KeySources sources(Given given) {
        return new KeySources(
                source(key, keyFile, given, "key"),
                source(secondaryKey, secondaryKeyFile, given, "secondaryKey"),
                source(readOnlyKey, readOnlyKeyFile, given, "readOnlyKey"),
                source(secondaryReadOnlyKey, secondaryReadOnlyKeyFile, given, "secondaryReadOnlyKey"));
    }

    private static Optional<KeySource> source(String text, Path file, Given given, String name) {
        if (text != null && file != null) {
            throw new UserError("A key is given as it is or in a file, not both. Leave one out.");
        }
        if (text != null || file != null) {
            return Optional.of(text == null ? new KeySource.InFile(file) : new KeySource.Text(text));
        }
        var inFile = name + "File";
        return given.environment(name)
                .<KeySource>map(KeySource.Text::new)
                .or(() -> given.environment(inFile).map(KeyOptions::inFile))
                .or(() -> given.text(name).map(KeySource.Text::new))
                .or(() -> given.text(inFile).map(KeyOptions::inFile));
    }

    private static KeySource inFile(String path) {
        return new KeySource.InFile(Path.of(path));
    }
}
