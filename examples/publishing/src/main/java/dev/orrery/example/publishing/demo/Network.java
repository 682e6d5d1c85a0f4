package dev.orrery.example.publishing.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;

/**
 * The network between applications and servers: whoever asks a server of another region waits longer. An application sends
 * everything through the gate of its region, which SDKs know as a proxy.
 */
final class Network implements AutoCloseable {
    private static final int PIECE_BYTES = 32_768;
    private static final int HEAD_CHARACTERS_MAX = 8_192;
    private static final Pattern CONNECT = Pattern.compile("CONNECT \\S+:(\\d+) ");

    private final Map<Integer, Region> regions = new ConcurrentHashMap<>();
    private final Map<Integer, List<Integer>> names = new ConcurrentHashMap<>();
    private final List<ServerSocket> gates = new ArrayList<>();
    private final Duration oneWay;

    /** @param roundTrip how long a message to another region and its answer are on their way */
    Network(Duration roundTrip) {
        oneWay = roundTrip.dividedBy(2);
    }

    /** Says where a server is. */
    void place(int port, Region region) {
        regions.put(port, region);
    }

    /**
     * Gives several servers one name, which leads to the nearest of them that answers, as that of an account in the cloud does.
     * SDKs ask there which regions an account has, also when one is lost.
     */
    void name(int port, List<Integer> servers) {
        names.put(port, List.copyOf(servers));
    }

    /** Opens the gate of a region. */
    InetSocketAddress open(Region here) {
        try {
            var gate = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
            gates.add(gate);
            Thread.ofPlatform().daemon().start(() -> accept(gate, here));
            return new InetSocketAddress(gate.getInetAddress(), gate.getLocalPort());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private void accept(ServerSocket gate, Region here) {
        while (true) {
            try {
                var client = gate.accept();
                Thread.startVirtualThread(() -> serve(client, here));
            } catch (IOException _) {
                return; // It was closed.
            }
        }
    }

    private void serve(Socket client, Region here) {
        try (client) {
            client.setTcpNoDelay(true);
            int port = target(client.getInputStream());
            for (int target : nearestFirst(port, here)) {
                var delay = here == regions.get(target) ? Duration.ZERO : oneWay;
                try (var server = new Socket()) {
                    // To open a connection takes a message and its answer as well.
                    Thread.sleep(delay.multipliedBy(2));
                    server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
                    server.setTcpNoDelay(true);
                    say(client, "HTTP/1.1 200 Connected\r\n\r\n");
                    var answers = Thread.startVirtualThread(() -> carry(server, client, delay));
                    carry(client, server, delay);
                    answers.join();
                    return;
                } catch (ConnectException _) {
                    // The next one, then.
                }
            }
            say(client, "HTTP/1.1 502 Nobody there\r\n\r\n");
        } catch (IOException _) {
            // Either side may leave at any time.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private List<Integer> nearestFirst(int port, Region here) {
        return names.getOrDefault(port, List.of(port)).stream()
                .sorted(Comparator.comparing(target -> regions.get(target) != here))
                .toList();
    }

    /** Reads {@code CONNECT localhost:8081 HTTP/1.1} and the headers after it, and not one byte more. */
    private static int target(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0 || head.length() == HEAD_CHARACTERS_MAX) {
                throw new IOException("no whole request");
            }
            head.append((char) next);
        }
        var request = CONNECT.matcher(head);
        if (!request.lookingAt()) {
            throw new IOException("not a request to connect");
        }
        return Integer.parseInt(request.group(1));
    }

    private static void say(Socket client, String words) throws IOException {
        client.getOutputStream().write(words.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Something that is on its way, and when it arrives; nothing at the end. */
    private record Piece(ByteBuffer bytes, long arrivalNanos) {}

    private static void carry(Socket from, Socket to, Duration delay) {
        BlockingQueue<Piece> underWay = new LinkedBlockingQueue<>();
        var arriving = Thread.startVirtualThread(() -> deliver(underWay, to));
        var buffer = new byte[PIECE_BYTES];
        try {
            int count = from.getInputStream().read(buffer);
            while (count >= 0) {
                underWay.add(
                        new Piece(ByteBuffer.wrap(Arrays.copyOf(buffer, count)), System.nanoTime() + delay.toNanos()));
                count = from.getInputStream().read(buffer);
            }
        } catch (IOException _) {
            // It was closed, or its process was killed.
        }
        underWay.add(new Piece(ByteBuffer.allocate(0), System.nanoTime() + delay.toNanos()));
        try {
            arriving.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void deliver(BlockingQueue<Piece> underWay, Socket to) {
        try {
            while (true) {
                var piece = underWay.take();
                long left = piece.arrivalNanos() - System.nanoTime();
                if (left > 0) {
                    Thread.sleep(Duration.ofNanos(left));
                }
                if (!piece.bytes().hasRemaining()) {
                    to.close();
                    return;
                }
                to.getOutputStream().write(piece.bytes().array());
            }
        } catch (IOException _) {
            // The other side has gone.
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        for (var gate : gates) {
            try {
                gate.close();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }
    }
}
