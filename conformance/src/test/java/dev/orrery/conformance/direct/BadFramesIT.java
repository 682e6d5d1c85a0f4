package dev.orrery.conformance.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.Await;
import dev.orrery.conformance.direct.FrameSocket.Frame;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.Signature;
import dev.orrery.conformance.wire.WireClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a running server does with frames that no SDK sends: the table of docs/direct-mode.md, row by row. */
class BadFramesIT {
    private static final int DATABASE = 0x01;
    private static final int ITEM = 0x03;
    private static final int CREATE = 0x01;
    private static final int READ = 0x03;
    private static final int MIB = 1024 * 1024;

    private static final OptionalInt END = OptionalInt.empty();

    private static OrreryServer server;
    private static int port;

    @BeforeAll
    static void start(@TempDir Path folder) {
        server = OrreryServer.startInMemory(folder);
        port = FrameSocket.portOf(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /**
     * A row of the table.
     *
     * @param isFirst whether nothing comes before it; else a context does
     * @param gets the status of the reply, none where the connection ends
     */
    @SuppressWarnings("ArrayRecordComponent") // Carried, never compared.
    record Row(String what, boolean isFirst, byte[] sent, OptionalInt gets) {
        @Override
        public String toString() {
            return what;
        }
    }

    static Stream<Row> rows() {
        return Stream.of(
                first("a request before the context", signedRead().bytes(), END),
                first("a context of another version", FrameSocket.context(2), status(400)),
                first("a context that claims more than 4 KiB", new Frame(0, 0).claiming(5_000), END),
                row("a context with a payload", new Frame(0, 0).withPayload(4, new byte[4]), END),
                row("a head that claims less than 24 bytes", signedRead().claiming(23), END),
                row("a head that claims more than 256 KiB", signedRead().claiming(Integer.MAX_VALUE), END),
                row("a token that runs past its head", spoiled((byte) 0x08, new byte[] {(byte) 0xff, 0x7f}), END),
                row("a token of an unknown type", spoiled((byte) 0x0f, new byte[] {0}), END),
                row("more than 512 tokens", manyTokens(), END),
                row("a token that nobody knows", signedRead().text(0x7ff0, "?").bytes(), status(404)),
                row("an operation that nobody knows", new Frame(ITEM, 0x7777).bytes(), status(405)),
                row("a resource that nobody knows", new Frame(0x7777, READ).bytes(), status(405)),
                row(
                        "a resource id of a wrong length",
                        new Frame(ITEM, READ).text(0x00, "123456").bytes(),
                        status(400)),
                row("a request without a signature", unsigned().bytes(), status(401)),
                row(
                        "a signature that is wrong",
                        unsigned().text(0x01, "type=master&ver=1.0&sig=AAAA").bytes(),
                        status(401)),
                row("a signature that is too old", signedRead(Instant.EPOCH).bytes(), status(403)),
                row("a payload that is no JSON", signedCreate("{"), status(400)),
                row("a payload that is missing", signedCreate().bytes(), status(400)),
                row("a payload beyond 4 MiB", signedCreate().withPayload(5 * MIB, new byte[5 * MIB]), status(413)),
                row("a payload that claims more than 64 MiB", signedCreate().withPayload(-1, new byte[9]), END));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isAnsweredOrEndsTheConnectionAndNothingElse(Row row) throws IOException {
        try (var bad = new FrameSocket(port)) {
            if (!row.isFirst()) {
                assertThat(bad.send(FrameSocket.context(1)).status()).hasValue(200);
            }
            assertThat(bad.send(row.sent()).status()).isEqualTo(row.gets());
            boolean goesOn = row.gets().isPresent() && !row.isFirst();
            assertThat(bad.send(signedRead().bytes()).status())
                    .as("the next request on the same connection")
                    .isEqualTo(goesOn ? status(404) : END);
        }
    }

    @Test
    void theTableOfTheDocsSaysTheSame() throws IOException {
        var page = Files.readString(Path.of("../docs/direct-mode.md"));
        var said = Pattern.compile("(?m)^\\| (.+?) \\| (status (\\d+)|the connection ends)[^|]* \\|$")
                .matcher(page);
        var docs = new ArrayList<String>();
        while (said.find()) {
            docs.add(said.group(1) + ": " + (said.group(3) == null ? "end" : said.group(3)));
        }
        assertThat(docs)
                .containsExactlyElementsOf(rows().map(row -> row.what() + ": "
                                + (row.gets().isPresent() ? row.gets().getAsInt() : "end"))
                        .toList());
    }

    @Test
    void aFloodIsAnsweredToTheLastRequestOfWhoReads() throws IOException {
        int count = 3_000;
        try (var flood = new FrameSocket(port)) {
            assertThat(flood.send(FrameSocket.context(1)).status()).hasValue(200);
            var frame = signedRead().bytes();
            var sender = Thread.ofPlatform().daemon().start(() -> {
                try {
                    for (int i = 0; i < count; i++) {
                        flood.send(frame);
                    }
                } catch (IOException failed) {
                    throw new IllegalStateException(failed);
                }
            });
            for (int i = 0; i < count; i++) {
                assertThat(flood.status()).hasValue(404);
            }
            assertThat(sender.isAlive()).isFalse();
        }
    }

    @Test
    void connectionsThatClientsHaveLeftAreClosed() throws IOException {
        int count = 50;
        var open = new ArrayList<FrameSocket>();
        for (int i = 0; i < count; i++) {
            var socket = new FrameSocket(port);
            open.add(socket);
            assertThat(socket.send(FrameSocket.context(1)).status()).hasValue(200);
        }
        assertThat(connections()).isGreaterThanOrEqualTo(count);
        for (var socket : open) {
            socket.send(signedRead().bytes()).close();
        }
        Await.until("the server has closed them as well", () -> connections() < count / 2);
    }

    private static int connections() {
        var gauge = Pattern.compile("(?m)^orrery_connections\\S* ([0-9.]+)")
                .matcher(new WireClient(server).get("/_orrery/metrics").body());
        assertThat(gauge.find()).isTrue();
        return (int) Double.parseDouble(gauge.group(1));
    }

    // ---- rows ----

    private static Row first(String what, byte[] sent, OptionalInt gets) {
        return new Row(what, true, sent, gets);
    }

    private static Row row(String what, byte[] sent, OptionalInt gets) {
        return new Row(what, false, sent, gets);
    }

    private static OptionalInt status(int status) {
        return OptionalInt.of(status);
    }

    private static byte[] spoiled(byte type, byte[] value) {
        return signedRead().token(0x15, type, value).bytes();
    }

    private static byte[] manyTokens() {
        var frame = signedRead();
        for (int i = 0; i < 512; i++) {
            frame.flag(0x7000 + i, true);
        }
        return frame.bytes();
    }

    /** Reads a database that is not there. */
    private static Frame signedRead() {
        return signedRead(Instant.now());
    }

    private static Frame signedRead(Instant moment) {
        return signed(unsigned(), "GET", "/dbs/none", moment);
    }

    private static Frame unsigned() {
        return new Frame(DATABASE, READ).text(0x15, "none");
    }

    private static byte[] signedCreate(String payload) {
        var bytes = payload.getBytes(StandardCharsets.UTF_8);
        return signedCreate().withPayload(bytes.length, bytes);
    }

    private static Frame signedCreate() {
        return signed(new Frame(DATABASE, CREATE), "POST", "/dbs", Instant.now());
    }

    private static Frame signed(Frame frame, String method, String path, Instant moment) {
        var date = Signature.date(moment);
        return frame.text(0x03, date).text(0x01, Signature.ofNames(OrreryServer.WELL_KNOWN_KEY, method, path, date));
    }
}
