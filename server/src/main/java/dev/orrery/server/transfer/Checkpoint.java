package dev.orrery.server.transfer;

import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How far an import has come. Records are counted through all files, from 1.
 *
 * @param target database and container
 * @param files names of the inputs, in their order
 * @param run names the import, so that generated ids are the same when it goes on
 * @param acknowledged up to and including this record, everything is imported or skipped, but for {@code failed}
 * @param digest of the acknowledged records that did not fail, by which a changed file is noticed
 * @param failed records that were refused; going on tries them again
 */
public record Checkpoint(
        String target,
        List<String> files,
        String run,
        long acknowledged,
        long digest,
        SortedSet<Long> failed,
        long imported,
        long skipped) {
    private static final int VERSION = 1;

    public Checkpoint {
        files = List.copyOf(files);
        failed = new TreeSet<>(failed);
    }

    public static Checkpoint start(String target, List<String> files, String run) {
        return new Checkpoint(target, files, run, 0, 0, new TreeSet<>(), 0, 0);
    }

    /** Nothing when there is no such file. */
    public static Optional<Checkpoint> load(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            if (JsonReader.parse(Files.readAllBytes(file)) instanceof Obj json
                    && json.member("version") instanceof Num(double version, var _)
                    && version == VERSION) {
                return Optional.of(decode(json));
            }
        } catch (FailureException | ClassCastException | NumberFormatException bad) {
            throw new IOException(file + " is not a checkpoint of an import.", bad);
        }
        throw new IOException(file + " is not a checkpoint of an import of this version.");
    }

    private static Checkpoint decode(Obj json) {
        var failed = new TreeSet<Long>();
        ((Arr) json.member("failed")).items().forEach(number -> failed.add((long) ((Num) number).value()));
        return new Checkpoint(
                text(json.member("target")),
                ((Arr) json.member("files"))
                        .items().stream().map(Checkpoint::text).toList(),
                text(json.member("run")),
                (long) ((Num) json.member("acknowledged")).value(),
                Long.parseUnsignedLong(text(json.member("digest")), 16),
                failed,
                (long) ((Num) json.member("imported")).value(),
                (long) ((Num) json.member("skipped")).value());
    }

    private static String text(JsonValue value) {
        return ((Str) value).value();
    }

    /** Replaces the file by one write and a rename: whenever the machine stops, one of both is whole. */
    public void save(Path file) throws IOException {
        var json = Obj.builder()
                .put("version", VERSION)
                .put("target", target)
                .put(
                        "files",
                        new Arr(files.stream()
                                .map(name -> (JsonValue) new Str(name))
                                .toList()))
                .put("run", run)
                .put("acknowledged", (double) acknowledged)
                .put("digest", Long.toHexString(digest)) // more digits than a number keeps
                .put(
                        "failed",
                        new Arr(failed.stream()
                                .map(number -> (JsonValue) new Num(number))
                                .toList()))
                .put("imported", (double) imported)
                .put("skipped", (double) skipped)
                .build();
        var fresh = file.resolveSibling(file.getFileName() + ".new");
        Files.write(fresh, JsonWriter.bytes(json));
        try (var channel = FileChannel.open(fresh, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
