package dev.orrery.server;

import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.store.StoreException;
import dev.orrery.store.rocksdb.RocksDbStore;
import dev.orrery.store.rocksdb.RocksDbStore.Checkpoint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out a copy of the store, file by file and piece by piece, while it goes on. One at a time: a copy costs nothing to
 * make, for its files are links, but what is merged away meanwhile takes room as long as it is there.
 *
 * <pre>
 * POST /_orrery/backup                                begins: the files, their sizes and checksums
 * POST /_orrery/backup?id=7&amp;file=F&amp;from=0&amp;bytes=N    a piece of one
 * POST /_orrery/backup?end=7                          ends
 * </pre>
 */
final class Backups implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Backups.class);

    static final int PIECE_BYTES_MAX = 4 << 20;

    /** Whoever asks for nothing for so long has gone. */
    private static final long IDLE_SECONDS_MAX = 300;

    private static final String FOLDER = "backup";

    /** Of where the store puts a copy together before it gives it its name. */
    private static final String STAGING_SUFFIX = ".tmp";

    private final Optional<RocksDbStore> store;
    private final Path folder;
    private final Path staging;
    private final InstantSource clock;
    private Optional<Running> running = Optional.empty();
    private long lastId;

    private record Running(long id, Checkpoint checkpoint, long usedSecond) {}

    /** Removes what an end in the midst of another one has left. */
    Backups(Optional<RocksDbStore> store, Optional<Path> data, InstantSource clock) {
        this.store = store;
        this.folder = data.orElse(Path.of("")).resolve(FOLDER);
        this.staging = folder.resolveSibling(FOLDER + STAGING_SUFFIX);
        this.clock = clock;
        this.lastId = clock.millis();
        store.ifPresent(_ -> remove());
    }

    /** Whether a request begins a backup; all others carry on with one. */
    static boolean isBegin(HttpRequest request) {
        return request.rawQuery().isEmpty();
    }

    synchronized HttpReply answer(HttpRequest request) {
        var parameters = parameters(request.rawQuery());
        try {
            if (parameters.containsKey("file")) {
                return piece(parameters);
            }
            return parameters.containsKey("end") ? end(parameters) : begin();
        } catch (IOException problem) {
            LOG.error("A backup failed", problem);
            throw new FailureException(
                    new Failure.Unavailable("The files cannot be read; the log of the server says why."));
        } catch (StoreException problem) {
            LOG.error("A backup failed", problem);
            throw new FailureException(new Failure.Unavailable(problem.getMessage()));
        }
    }

    /** Lets go of a copy that nobody has asked for in a while. */
    synchronized void look() {
        if (running.isPresent() && isIdle(running.get())) {
            LOG.warn("A backup was begun and never ended; its files are let go of");
            release();
        }
    }

    private boolean isIdle(Running backup) {
        return clock.instant().getEpochSecond() - backup.usedSecond() > IDLE_SECONDS_MAX;
    }

    private HttpReply begin() {
        if (running.isPresent() && !isIdle(running.get())) {
            throw new FailureException(new Failure.Conflict("Another backup is under way. Try again when it has ended."
                    + " One that was broken off is forgotten after five minutes."));
        }
        var source = store.orElseThrow(
                () -> new FailureException(new Failure.BadRequest("This server keeps nothing on disk (--memory).")));
        running = Optional.empty();
        remove(); // Also what one that failed on its way has left.
        var checkpoint = source.checkpoint(folder);
        lastId++;
        running = Optional.of(new Running(lastId, checkpoint, clock.instant().getEpochSecond()));
        var files = checkpoint.files().stream()
                .<JsonValue>map(file -> Obj.builder()
                        .put("name", file.name())
                        .put("size", new Num(file.size()))
                        .put("checksum", HexFormat.of().toHexDigits(file.checksum()))
                        .build())
                .toList();
        var json = Obj.builder()
                .put("id", new Num(lastId))
                .put("time", clock.instant().toString())
                .put("files", new Arr(files))
                .build();
        return HttpReply.status(200)
                .header("content-type", "application/json")
                .body(CompactJson.text(json).getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private HttpReply piece(Map<String, String> parameters) throws IOException {
        var backup = resolve(parameters, "id");
        var name = parameters.getOrDefault("file", "");
        var file = backup.checkpoint().files().stream()
                .filter(one -> one.name().equals(name)) // So no other path can be asked for.
                .findFirst()
                .orElseThrow(
                        () -> new FailureException(new Failure.NotFound("The backup has no file '" + name + "'.")));
        long from = number(parameters, "from");
        int bytes = Math.clamp(Math.min(file.size() - from, number(parameters, "bytes")), 0, PIECE_BYTES_MAX);
        var piece = ByteBuffer.allocate(bytes);
        try (var channel = FileChannel.open(folder.resolve(name), StandardOpenOption.READ)) {
            while (piece.hasRemaining() && channel.read(piece, from + piece.position()) >= 0) {
                // Until all of it is there.
            }
        }
        running = Optional.of(
                new Running(backup.id(), backup.checkpoint(), clock.instant().getEpochSecond()));
        return HttpReply.status(200)
                .header("content-type", "application/octet-stream")
                .body(Arrays.copyOf(piece.array(), piece.position()))
                .build();
    }

    private HttpReply end(Map<String, String> parameters) {
        resolve(parameters, "end");
        release();
        return HttpReply.status(204).build();
    }

    private Running resolve(Map<String, String> parameters, String name) {
        long id = number(parameters, name);
        return running.filter(backup -> backup.id() == id)
                .orElseThrow(() -> new FailureException(
                        new Failure.NotFound("There is no such backup any more. Begin another one.")));
    }

    private void release() {
        if (running.isPresent()) {
            running = Optional.empty();
            remove();
        }
    }

    private void remove() {
        remove(folder);
        remove(staging);
    }

    private static void remove(Path left) {
        if (!Files.exists(left)) {
            return;
        }
        try (var contents = Files.walk(left)) {
            for (var path : contents.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (IOException problem) {
            LOG.warn("What a backup has left in {} cannot be removed: {}", left, problem.toString());
        }
    }

    private static Map<String, String> parameters(String query) {
        return Arrays.stream(query.split("&"))
                .filter(part -> part.indexOf('=') > 0)
                .collect(Collectors.toMap(
                        part -> part.substring(0, part.indexOf('=')),
                        part -> part.substring(part.indexOf('=') + 1),
                        (first, second) -> second));
    }

    private static long number(Map<String, String> parameters, String name) {
        try {
            return Math.max(0, Long.parseLong(parameters.getOrDefault(name, "")));
        } catch (NumberFormatException bad) {
            throw new FailureException(new Failure.BadRequest("The parameter " + name + " is a number."));
        }
    }

    @Override
    public synchronized void close() {
        release();
    }
}
