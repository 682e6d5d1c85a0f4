package dev.orrery.gateway.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.direct.RecordedFrames.Recorded;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import dev.orrery.model.memory.MemoryBudget;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Frames as the Java SDK sends and takes them. */
class FramesTest {
    private static final InetSocketAddress CLIENT = InetSocketAddress.createUnresolved("localhost", 50_000);

    static List<Recorded> all() {
        return RecordedFrames.all();
    }

    @ParameterizedTest
    @MethodSource("all")
    void aFrameDecodesAndEncodesBackToTheSameBytes(Recorded recorded) throws BadFrameException {
        var bytes = recorded.bytes();
        var start = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int headBytes = start.getInt(0);
        var head = Arrays.copyOf(bytes, headBytes);
        var tokens = Tokens.parse(head, TokenWriter.HEAD_START_BYTES);
        var out = Unpooled.buffer();
        var writer = new TokenWriter(out, start.getInt(4), Tokens.guid(start, 8));
        int at = TokenWriter.HEAD_START_BYTES;
        for (int id : tokens.ids()) {
            var type = TokenType.of(head[at + 2]);
            at += 3 + type.lengthWidth() + write(writer, tokens, id, type);
        }
        writer.end();
        out.writeBytes(bytes, headBytes, bytes.length - headBytes);
        assertThat(HexFormat.of().formatHex(out.array(), 0, out.writerIndex()))
                .isEqualTo(HexFormat.of().formatHex(bytes));
    }

    /** Writes a token anew, and tells how long its value is. */
    private static int write(TokenWriter writer, Tokens tokens, int id, TokenType type) {
        if (type.lengthWidth() > 0) {
            writer.bytes(id, type, tokens.bytes(id));
            return tokens.bytes(id).length;
        }
        switch (type) {
            case GUID -> writer.guid(id, UUID.fromString(tokens.text(id).orElseThrow()));
            case DOUBLE -> writer.real(id, Double.parseDouble(tokens.text(id).orElseThrow()));
            default -> writer.number(id, type, tokens.number(id).orElseThrow());
        }
        return type.width();
    }

    @ParameterizedTest(name = "frame {0}: {1} {2}")
    @CsvSource({
        "3, GET, /dbs/d",
        "5, HEAD, /dbs",
        "7, POST, /dbs/d/colls/c/docs",
        "9, GET, /dbs/d/colls/c/docs/i1",
        "23, PUT, /dbs/d/colls/c/docs/u1",
        "25, PATCH, /dbs/d/colls/c/docs/u1",
        "27, POST, /dbs/d/colls/c/docs",
        "37, POST, /dbs/d/colls/c/sprocs/s1",
        "39, GET, /dbs/d/colls/c/docs",
        "45, DELETE, /dbs/d/colls/c/docs/u1",
        "51, HEAD, /dbs/d/colls/c"
    })
    void aFrameAsksForWhatARequestOverHttpWould(int number, String method, String path) {
        var request = request(number);
        assertThat(request.method()).isEqualTo(method);
        assertThat(request.rawPath()).startsWith(path);
        assertThat(request.header("authorization")).isPresent();
        assertThat(request.header("x-ms-date"))
                .hasValueSatisfying(date -> assertThat(date).endsWith("GMT"));
    }

    @Test
    void tokensBecomeTheHeadersOfTheSameMeaning() {
        assertThat(request(7).header("x-ms-documentdb-partitionkey")).contains("[\"p\"]");
        assertThat(request(7).header("prefer")).contains("return=minimal");
        assertThat(request(15).header("if-none-match")).isPresent();
        assertThat(request(15).header("if-match")).isEmpty();
        assertThat(request(17).header("x-ms-documentdb-is-upsert")).contains("true");
        assertThat(request(21).header("if-match")).isPresent();
        assertThat(request(21).header("if-none-match")).isEmpty();
        assertThat(request(27).header("x-ms-documentdb-isquery")).contains("true");
        assertThat(request(33).header("x-ms-cosmos-is-batch-request")).contains("true");
        assertThat(request(33).header("x-ms-cosmos-batch-atomic")).contains("true");
        assertThat(request(33).header("x-ms-cosmos-batch-continue-on-error")).contains("false");
        assertThat(request(39).header("a-im")).contains("Incremental Feed");
    }

    @Test
    void whatDescribesIsReadAtTheLevelOfTheAccount() {
        // The client asks for the strongest level, which an account of a weaker one refuses.
        assertThat(recorded(3).frame().tokens().number(RequestToken.CONSISTENCY_LEVEL.id()))
                .contains(0L);
        assertThat(request(3).header("x-ms-consistency-level")).isEmpty();
    }

    @Test
    void framesAreWholeHoweverTheirBytesArrive() {
        long seed = Long.getLong("test.seed", new Random().nextLong());
        System.out.println("-Dtest.seed=" + seed);
        var random = new Random(seed);
        var requests = RecordedFrames.requests();
        var all = Unpooled.buffer();
        requests.forEach(request -> all.writeBytes(request.bytes()));
        for (int round = 0; round < 50; round++) {
            var channel = new EmbeddedChannel(new FrameReader(MemoryBudget.unlimited()));
            var bytes = all.duplicate();
            var read = new ArrayList<Integer>();
            while (bytes.isReadable()) {
                int length = Math.min(1 + random.nextInt(round % 2 == 0 ? 7 : 900), bytes.readableBytes());
                channel.writeInbound(bytes.readBytes(length));
                for (RequestFrame frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
                    read.add(frame.payload().length);
                }
            }
            assertThat(read)
                    .containsExactlyElementsOf(requests.stream()
                            .map(request -> request.frame().payload().length)
                            .toList());
            channel.finishAndReleaseAll();
        }
    }

    @Test
    void aPayloadIsCountedAsItArrivesAndRefusedWhenThereIsNoMemoryForIt() {
        var requests = RecordedFrames.requests();
        var large = requests.stream()
                .max(Comparator.comparingInt(request -> request.frame().payload().length))
                .orElseThrow();
        int length = large.frame().payload().length;
        var memory = new MemoryBudget(length + 10L, 0);
        var channel = new EmbeddedChannel(new FrameReader(memory));
        channel.writeInbound(Unpooled.wrappedBuffer(requests.getFirst().bytes()));
        assertThat(channel.<RequestFrame>readInbound().isContext()).isTrue();

        var first = large.bytes();
        channel.writeInbound(Unpooled.wrappedBuffer(first, 0, first.length - length / 2));
        assertThat(memory.bytesTaken()).isBetween(1L, (long) length);
        channel.writeInbound(Unpooled.wrappedBuffer(first, first.length - length / 2, length / 2));
        RequestFrame served = channel.readInbound();
        assertThat(served.payload()).hasSize(length);
        assertThat(served.memoryTaken()).isEqualTo(length);

        for (int pieces = 1; pieces <= 3; pieces++) {
            for (int piece = 0; piece < pieces; piece++) {
                int from = first.length * piece / pieces;
                int to = first.length * (piece + 1) / pieces;
                channel.writeInbound(Unpooled.wrappedBuffer(first, from, to - from));
            }
            RequestFrame refused = channel.readInbound();
            assertThat(refused.refusal()).containsInstanceOf(Failure.Throttled.class);
            assertThat(memory.bytesTaken()).isEqualTo(length);
        }

        memory.giveBack(served.memoryTaken());
        channel.writeInbound(Unpooled.wrappedBuffer(first));
        assertThat(channel.<RequestFrame>readInbound().payload()).hasSize(length);
        memory.giveBack(length);
        channel.writeInbound(Unpooled.wrappedBuffer(first, 0, first.length - 1));
        assertThat(memory.bytesTaken()).isPositive();
        channel.finishAndReleaseAll();
        assertThat(memory.bytesTaken()).isZero();
    }

    @Test
    void aResourceIdNamesTheSameAsAPath() {
        var container = HexFormat.of().parseHex("0000000180000004");
        var frame = frame(0x03, 0x0f, container);
        assertThat(DirectRequest.read(frame, CLIENT).rawPath())
                .isEqualTo("/dbs/AAAAAQ%3D%3D/colls/AAAAAYAAAAQ%3D/docs");
    }

    private static RequestFrame frame(int resource, int operation, byte[] rid) {
        var out = Unpooled.buffer();
        new TokenWriter(out, resource | operation << 16, new UUID(1, 2))
                .bytes(RequestToken.RESOURCE_ID, TokenType.BYTES, rid)
                .end();
        var channel = new EmbeddedChannel(new FrameReader(MemoryBudget.unlimited()));
        channel.writeInbound(Unpooled.wrappedBuffer(RecordedFrames.context()));
        channel.readInbound();
        channel.writeInbound(out);
        RequestFrame frame = channel.readInbound();
        channel.finishAndReleaseAll();
        return frame;
    }

    private static Recorded recorded(int number) {
        return RecordedFrames.all().get(number - 1);
    }

    private static HttpRequest request(int number) {
        return DirectRequest.read(recorded(number).frame(), CLIENT);
    }
}
