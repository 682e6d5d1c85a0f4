package dev.orrery.gateway.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * Frames as the published source of the .NET SDK lays them out, where they differ from those of Java: made by hand, since
 * that SDK does not run here.
 */
class DotNetFramesTest {
    private static final InetSocketAddress CLIENT = InetSocketAddress.createUnresolved("localhost", 50_000);
    private static final UUID ACTIVITY = UUID.fromString("12345678-9abc-def0-1234-56789abcdef0");

    private static final int ITEM = 0x03;
    private static final int BATCH = 0x25;
    private static final int SQL_QUERY = 0x09;
    private static final int READ = 0x03;

    private final EmbeddedChannel channel = new EmbeddedChannel(new FrameReader(MemoryBudget.unlimited()));

    /** It also says who calls, and whether one connection serves several. */
    private static ByteBuf context() {
        return head(
                0,
                0,
                writer -> writer.number(0x00, TokenType.ULONG, 1)
                        .text(0x01, TokenType.SMALL_STRING, "2020-07-15")
                        .text(0x02, TokenType.SMALL_STRING, "cosmos-netstandard-sdk/3.54.0")
                        .number(0x03, TokenType.BYTE, 0)
                        .number(0x04, TokenType.BYTE, 1));
    }

    private static ByteBuf head(int resource, int operation, UnaryOperator<TokenWriter> tokens) {
        var out = Unpooled.buffer();
        tokens.apply(new TokenWriter(out, resource | operation << 16, ACTIVITY)).end();
        return out;
    }

    private RequestFrame read(ByteBuf bytes) {
        channel.writeInbound(context());
        channel.readInbound();
        channel.writeInbound(bytes);
        RequestFrame frame = channel.readInbound();
        channel.finishAndReleaseAll();
        return frame;
    }

    private HttpRequest request(ByteBuf bytes) {
        return DirectRequest.read(read(bytes), CLIENT);
    }

    private static TokenWriter item(TokenWriter writer) {
        return writer.text(RequestToken.DATABASE_NAME, TokenType.STRING, "d")
                .text(RequestToken.CONTAINER_NAME, TokenType.STRING, "c")
                .text(RequestToken.REPLICA_PATH, TokenType.STRING, "/apps/orrery/services/r/partitions/0/replicas/1p");
    }

    @Test
    void aContextWithACallerIsAnsweredWithEveryTokenOnce() throws BadFrameException {
        channel.writeInbound(context());
        RequestFrame frame = channel.readInbound();
        assertThat(Introduction.refusal(frame)).isEmpty();
        var reply = Introduction.reply(channel.alloc(), frame, Introduction.refusal(frame));
        var bytes = new byte[reply.readIntLE() - Integer.BYTES];
        reply.readBytes(bytes).release();
        var tokens = Tokens.parse(bytes, TokenWriter.HEAD_START_BYTES - Integer.BYTES);
        assertThat(tokens.ids()).doesNotHaveDuplicates().contains(0x02, 0x03);
        channel.finishAndReleaseAll();
    }

    @Test
    void tokensThatOnlyItHasArePassedOver() {
        var request = request(head(
                ITEM,
                READ,
                writer -> item(writer)
                        .text(RequestToken.ITEM_NAME, TokenType.STRING, "1")
                        .text(0xcc, TokenType.STRING, "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                        .text(0xcd, TokenType.STRING, "state")
                        .number(0xe7, TokenType.USHORT, 7)
                        .number(0x101, TokenType.USHORT, 1)
                        .number(0x71, TokenType.BYTE, 0)));
        assertThat(request.method() + " " + request.rawPath()).isEqualTo("GET /dbs/d/colls/c/docs/1");
    }

    @Test
    void bothOfItsOperationsForQueriesAreQueries() {
        var request = request(head(ITEM, SQL_QUERY, DotNetFramesTest::item));
        assertThat(request.method()).isEqualTo("POST");
        assertThat(request.header("x-ms-documentdb-isquery")).contains("true");
    }

    @Test
    void theFormsOfJsonThatItTakesAreBits() {
        var request = request(head(
                ITEM,
                SQL_QUERY,
                writer -> item(writer).number(0xc4, TokenType.BYTE, 3).number(0xc2, TokenType.BYTE, 1)));
        assertThat(request.header("x-ms-cosmos-supported-serialization-formats"))
                .contains("JsonText,CosmosBinary");
        assertThat(request.header("x-ms-cosmos-populateindexmetrics-v2")).contains("true");
    }

    @Test
    void itsBatchesAreBinaryAndSayInBytesWhatJavaSays() {
        var payload = "\u0001rows".getBytes(StandardCharsets.UTF_8);
        var frame = head(
                ITEM,
                BATCH,
                writer -> item(writer)
                        .number(RequestToken.PAYLOAD_PRESENT, TokenType.BYTE, 1)
                        .text(0x2b, TokenType.STRING, "[\"p\"]")
                        .number(0x73, TokenType.BYTE, 1)
                        .number(0x74, TokenType.BYTE, 0)
                        .number(0x75, TokenType.BYTE, 1)
                        .number(0x65, TokenType.BYTE, 2));
        var request = request(frame.writeIntLE(payload.length).writeBytes(payload));
        assertThat(request.header("x-ms-cosmos-is-batch-request")).contains("true");
        assertThat(request.header("x-ms-cosmos-batch-atomic")).contains("true");
        assertThat(request.header("x-ms-cosmos-batch-continue-on-error")).contains("false");
        assertThat(request.body()).isEqualTo(payload);
    }

    @Test
    void itAsksForTheWholeItemInSoManyWords() {
        var request = request(head(ITEM, 0x13, writer -> item(writer).number(0x82, TokenType.BYTE, 0)));
        assertThat(request.header("prefer")).contains("return=representation");
        assertThat(request.header("x-ms-documentdb-is-upsert")).contains("true");
    }
}
