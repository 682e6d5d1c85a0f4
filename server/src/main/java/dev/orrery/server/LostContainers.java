package dev.orrery.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.replica.Salvage;
import dev.orrery.model.json.ItemText;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a region alone had of a container as files that {@code import} reads: its items a line each, and its
 * definition.
 */
final class LostContainers implements Salvage {
    private static final Logger LOG = LoggerFactory.getLogger(LostContainers.class);

    private final Path folder;
    private final InstantSource clock;

    LostContainers(Path folder, InstantSource clock) {
        this.folder = folder;
        this.clock = clock;
    }

    @Override
    public void keep(Container container, Consumer<Consumer<ItemText>> items) {
        // Names may be too long for a file, or have letters that it may not.
        var name = "%d-%d".formatted(clock.instant().getEpochSecond(), container.number());
        var lines = folder.resolve(name + ".jsonl");
        try {
            Files.createDirectories(folder);
            Files.writeString(
                    folder.resolve(name + ".definition.json"),
                    CompactJson.text(container.resource().json()) + "\n");
            try (var out = new PrintStream(new BufferedOutputStream(Files.newOutputStream(lines)), false, UTF_8)) {
                items.accept(item -> out.println(CompactJson.text(item.asValue())));
                if (out.checkError()) {
                    throw new IOException("the file cannot be written");
                }
            }
        } catch (IOException full) {
            throw new UncheckedIOException("What only this region had cannot be put aside in " + folder, full);
        }
        LOG.warn(
                "What was in {} is in {} now. To have it back, create a container and: orrery import {}",
                container.ownerPath(),
                lines,
                lines);
    }
}
