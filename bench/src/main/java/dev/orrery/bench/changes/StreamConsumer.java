package dev.orrery.bench.changes;

import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.HttpContender;
import dev.orrery.bench.harness.Requests;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Is sent changes by the server as they come, as server-sent events in the chunks of one endless reply. */
final class StreamConsumer implements ChangeConsumer {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final String OK = "200";
    private static final Set<String> NOT_OFFERED = Set.of("404", "405", "501");

    private final Socket socket;
    private final InputStream in;
    private CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
    private volatile boolean closed;

    private StreamConsumer(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
    }

    /** Empty when the server has no such stream. */
    static Optional<ChangeConsumer> open(HttpContender orrery, String containerLink) {
        var requests = new Requests(orrery.plain(), orrery.key());
        try {
            var stream = new StreamConsumer(
                    new Socket(InetAddress.getLoopbackAddress(), orrery.plain().port()));
            stream.socket.getOutputStream().write(requests.followChanges(containerLink));
            if (stream.isOffered()) {
                return Optional.of(stream);
            }
            stream.socket.close();
            return Optional.empty();
        } catch (IOException e) {
            throw new BenchException("The stream of changes does not begin: " + e, e);
        }
    }

    private boolean isOffered() throws IOException {
        var status = line();
        boolean chunked = false;
        for (var header = line(); !header.isEmpty(); header = line()) {
            chunked |= header.toLowerCase(Locale.ROOT).equals("transfer-encoding: chunked");
        }
        var code = status.split(" ", -1)[1];
        if (NOT_OFFERED.contains(code)) {
            return false;
        }
        if (!code.equals(OK) || !chunked) {
            throw new BenchException("The stream of changes begins with " + status + (chunked ? "" : ", in one piece"));
        }
        return true;
    }

    @Override
    public void start(Deliveries deliveries) {
        done = CompletableFuture.runAsync(
                () -> consume(deliveries), task -> Thread.ofPlatform().start(task));
    }

    private void consume(Deliveries deliveries) {
        var begun = "";
        try {
            while (true) {
                var text = begun + chunk();
                long now = System.nanoTime();
                // A line may go on in the next chunk.
                int end = text.lastIndexOf('\n') + 1;
                deliveries.arrived(text.substring(0, end), now);
                begun = text.substring(end);
            }
        } catch (IOException e) {
            if (!closed) {
                throw new BenchException("The stream of changes has ended: " + e, e);
            }
        }
    }

    private String chunk() throws IOException {
        int size = Integer.parseInt(line(), 16);
        var bytes = in.readNBytes(size);
        if (size == 0 || bytes.length < size) {
            throw new EOFException("no more chunks");
        }
        line();
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private String line() throws IOException {
        var line = new StringBuilder();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the connection ended");
            }
            if (next != '\r') {
                line.append((char) next);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        closed = true;
        try {
            socket.close(); // Ends the waiting for the next chunk.
            done.join();
        } catch (IOException e) {
            throw new BenchException("A stream cannot be closed: " + e, e);
        } catch (CompletionException e) {
            throw new BenchException("A consumer stopped: " + e.getCause(), e);
        }
    }
}
