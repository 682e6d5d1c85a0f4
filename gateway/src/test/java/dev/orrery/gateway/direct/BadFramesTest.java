package dev.orrery.gateway.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import dev.orrery.model.Limits;
import dev.orrery.model.WireStatus;
import dev.orrery.model.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client gets for frames that are not as they should be. */
class BadFramesTest {
    private static final int CREATE = 0x01;
    private static final int READ = 0x03;
    private static final int ITEM = 0x03;
    private static final UUID ACTIVITY = new UUID(1, 2);

    private final Held service = new Held();
    private final MemoryBudget memory = new MemoryBudget(64 << 20, 0);
    private final FrameReader reader = new FrameReader(memory);
    private final EmbeddedChannel channel = new EmbeddedChannel(
            reader,
            new DirectConnection(
                    new DirectServer.Connections(
                            service, (_, _) -> new DirectReply.Progress(7, "0", "-1#7"), () -> 2, memory),
                    reader));

    @AfterEach
    void release() {
        channel.finishAndReleaseAll();
    }

    @Test
    void aConnectionBeginsWithAContextOrEnds() {
        send(request(ITEM, READ).bytes(0));
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void anotherVersionOfTheProtocolIsRefusedInWords() {
        var out = Unpooled.buffer();
        new TokenWriter(out, 0, ACTIVITY).number(0x00, TokenType.ULONG, 2).end();
        send(out);
        ByteBuf reply = channel.readOutbound();
        assertThat(reply.getIntLE(4)).isEqualTo(400);
        assertThat(reply.toString(StandardCharsets.UTF_8)).contains("version 2", "only version 1");
        reply.release();
        assertThat(channel.isActive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 4, 23, Limits.DIRECT_HEAD_BYTES_MAX + 1, 0x7fff_ffffL, 0xffff_ffffL})
    void aHeadThatLiesAboutItsLengthEndsTheConnection(long length) {
        introduce();
        send(Unpooled.buffer().writeIntLE((int) length).writeZero(40));
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void aTokenThatRunsPastItsHeadEndsTheConnection() {
        introduce();
        var frame = request(ITEM, READ).text(RequestToken.DATABASE_NAME, TokenType.STRING, "d");
        var bytes = frame.bytes(0);
        bytes.setShortLE(bytes.writerIndex() - 3, 500);
        send(bytes);
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void aTokenOfAnUnknownTypeEndsTheConnection() {
        introduce();
        var bytes = request(ITEM, READ)
                .text(RequestToken.DATABASE_NAME, TokenType.STRING, "d")
                .bytes(0);
        bytes.setByte(bytes.writerIndex() - 4, 0x0f);
        send(bytes);
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void anUnknownTokenIsPassedOver() {
        introduce();
        send(request(ITEM, READ)
                .text(0x7ff0, TokenType.STRING, "from the future")
                .text(RequestToken.DATABASE_NAME, TokenType.STRING, "d")
                .bytes(5));
        assertThat(service.requests).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x0e, 0x22, 0x7777})
    void anUnknownOperationIsRefusedUnderItsNumber(int operation) {
        introduce();
        send(request(ITEM, operation).bytes(99));
        ByteBuf reply = channel.readOutbound();
        assertThat(reply.getIntLE(4)).isEqualTo(405);
        assertThat(tokens(reply).number(ReplyToken.TRANSPORT_REQUEST_ID)).contains(99L);
        reply.release();
    }

    @Test
    void aResourceIdThatIsNoneIsRefusedAndTheConnectionGoesOn() {
        introduce();
        var out = Unpooled.buffer();
        new TokenWriter(out, ITEM | READ << 16, ACTIVITY)
                .bytes(RequestToken.RESOURCE_ID, TokenType.BYTES, new byte[] {1, 2, 3, 4, 5, 6})
                .number(RequestToken.TRANSPORT_REQUEST_ID, TokenType.ULONG, 9)
                .end();
        send(out);
        ByteBuf reply = channel.readOutbound();
        assertThat(reply.getIntLE(4)).isEqualTo(400);
        reply.release();
        send(request(ITEM, READ).bytes(10));
        assertThat(service.requests).hasSize(1);
    }

    @Test
    void aPayloadThatIsTooLongIsThrownAwayAndRefused() {
        introduce();
        int length = Limits.HTTP_BODY_BYTES_MAX + 1;
        var frame = request(ITEM, CREATE).payload(7);
        frame.writeIntLE(length);
        send(frame);
        for (int sent = 0; sent < length; sent += 64 * 1024) {
            send(Unpooled.buffer().writeZero(Math.min(64 * 1024, length - sent)));
        }
        ByteBuf reply = channel.readOutbound();
        assertThat(reply.getIntLE(4)).isEqualTo(413);
        reply.release();
        send(request(ITEM, READ).bytes(8));
        assertThat(service.requests)
                .as("the next request is read as if nothing had been")
                .hasSize(1);
    }

    @Test
    void aPayloadBeyondAllReasonEndsTheConnection() {
        introduce();
        var frame = request(ITEM, CREATE).payload(7);
        frame.writeIntLE(0x7fff_ffff);
        send(frame);
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void aContextWithAPayloadEndsTheConnection() {
        introduce();
        var frame = request(0, 0).payload(7);
        frame.writeIntLE(4).writeZero(4);
        send(frame);
        assertThat(channel.isActive()).isFalse();
        assertThat(memory.bytesTaken()).isZero();
    }

    @Test
    void whatComesBehindARefusedContextHoldsNoMemory() {
        var refused = Unpooled.buffer();
        new TokenWriter(refused, 0, ACTIVITY).number(0x00, TokenType.ULONG, 2).end();
        var frame = request(ITEM, CREATE).payload(7);
        frame.writeIntLE(4).writeZero(4);
        send(refused.writeBytes(frame));
        assertThat(channel.isActive()).isFalse();
        assertThat(service.requests).isEmpty();
        assertThat(memory.bytesTaken()).isZero();
    }

    @Test
    void whoAsksForTooMuchAtOnceIsReadMoreSlowly() {
        introduce();
        for (int i = 0; i < Limits.DIRECT_IN_FLIGHT_MAX; i++) {
            assertThat(channel.config().isAutoRead()).isTrue();
            send(request(ITEM, READ).bytes(i));
        }
        assertThat(channel.config().isAutoRead()).isFalse();
        service.replies.getFirst().accept(HttpReply.status(200).build());
        channel.runPendingTasks();
        assertThat(channel.config().isAutoRead()).isTrue();
    }

    @Test
    void repliesGoOutAsTheyAreReady() {
        introduce();
        send(request(ITEM, READ).bytes(1));
        send(request(ITEM, READ).bytes(2));
        service.replies.get(1).accept(HttpReply.status(200).build());
        service.replies.get(0).accept(HttpReply.status(404).build());
        assertThat(List.of(transportId(), transportId())).containsExactly(2L, 1L);
    }

    @Test
    void everyReplySaysHowFarTheRangeHasCome() {
        introduce();
        send(request(ITEM, READ).bytes(1));
        service.replies.getFirst().accept(HttpReply.status(401).build());
        ByteBuf reply = channel.readOutbound();
        var tokens = tokens(reply);
        reply.release();
        for (int id : new int[] {
            ReplyToken.LSN,
            ReplyToken.LOCAL_LSN,
            ReplyToken.QUORUM_ACKED_LSN,
            ReplyToken.QUORUM_ACKED_LOCAL_LSN,
            ReplyToken.GLOBAL_COMMITTED_LSN
        }) {
            assertThat(tokens.number(id)).contains(7L);
        }
        assertThat(tokens.number(ReplyToken.READ_REGIONS)).contains(2L);
        assertThat(tokens.text(ReplyToken.RANGE_ID.id())).contains("0");
        assertThat(tokens.text(ReplyToken.SESSION_TOKEN.id())).contains("-1#7");
    }

    @Test
    void aServerThatClosesAnswersWhatHasBegunAndRefusesTheRest() {
        channel.freezeTime();
        introduce();
        send(request(ITEM, READ).bytes(1));
        channel.pipeline().fireUserEventTriggered(DirectServer.Drain.DRAIN);
        send(request(ITEM, READ).bytes(2));
        ByteBuf refused = channel.readOutbound();
        assertThat(refused.getIntLE(4))
                .as("not begun: the client may send it again")
                .isEqualTo(410);
        refused.release();
        assertThat(channel.isActive()).isTrue();
        service.replies.getFirst().accept(HttpReply.status(200).build());
        assertThat(transportId()).isEqualTo(1);
        assertThat(channel.isActive())
                .as("what the client sent before it heard is refused, too")
                .isTrue();
        pass(200);
        send(request(ITEM, READ).bytes(3));
        assertThat(transportId()).isEqualTo(3);
        pass(200);
        assertThat(channel.isActive()).isTrue();
        pass(100);
        assertThat(channel.isActive()).as("quiet for a while").isFalse();
    }

    @Test
    void aServerThatClosesDoesNotWaitForAClientThatOnlySaysWhoItIs() {
        channel.freezeTime();
        channel.pipeline().fireUserEventTriggered(DirectServer.Drain.DRAIN);
        pass(200);
        introduce();
        pass(200);
        assertThat(channel.isActive()).isTrue();
        pass(100);
        assertThat(channel.isActive()).isFalse();
    }

    private void pass(int millis) {
        for (int passed = 0; passed < millis; passed++) {
            channel.advanceTimeBy(1, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void aClientThatHasHungUpIsLeftWhenItsRequestsAreDone() {
        introduce();
        send(request(ITEM, READ).bytes(1));
        channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
        assertThat(channel.isActive()).isTrue();
        service.replies.getFirst().accept(HttpReply.status(200).build());
        channel.runPendingTasks();
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void aClientThatHasEndedTlsIsLeftAtOnce() {
        introduce();
        channel.pipeline().fireUserEventTriggered(SslCloseCompletionEvent.SUCCESS);
        assertThat(channel.isActive()).isFalse();
    }

    // ---- making and reading frames ----

    private void introduce() {
        send(Unpooled.wrappedBuffer(RecordedFrames.context()));
        channel.<ByteBuf>readOutbound().release();
    }

    private void send(ByteBuf bytes) {
        channel.writeInbound(bytes);
    }

    private long transportId() {
        ByteBuf reply = channel.readOutbound();
        long id = tokens(reply).number(ReplyToken.TRANSPORT_REQUEST_ID).orElseThrow();
        reply.release();
        return id;
    }

    private static Tokens tokens(ByteBuf reply) {
        var head = new byte[reply.getIntLE(0)];
        reply.getBytes(0, head);
        try {
            return Tokens.parse(head, TokenWriter.HEAD_START_BYTES);
        } catch (BadFrameException bad) {
            throw new AssertionError(bad);
        }
    }

    private static Frame request(int resource, int operation) {
        return new Frame(resource, operation);
    }

    /** A frame in the making. */
    private static final class Frame {
        private final ByteBuf out = Unpooled.buffer();
        private final TokenWriter writer;

        Frame(int resource, int operation) {
            writer = new TokenWriter(out, resource | operation << 16, ACTIVITY);
        }

        Frame text(int id, TokenType type, String value) {
            writer.text(id, type, value);
            return this;
        }

        /** The whole frame; the last token stays last, so that tests can spoil it. */
        ByteBuf bytes(int transportId) {
            if (transportId > 0) {
                writer.number(RequestToken.TRANSPORT_REQUEST_ID, TokenType.ULONG, transportId);
            }
            writer.end();
            return out;
        }

        ByteBuf payload(int transportId) {
            writer.number(RequestToken.PAYLOAD_PRESENT, TokenType.BYTE, 1);
            return bytes(transportId);
        }
    }

    /** Keeps requests until the test answers them. */
    private static final class Held implements DirectService {
        private final List<HttpRequest> requests = new ArrayList<>();
        private final List<Consumer<HttpReply>> replies = new ArrayList<>();

        @Override
        public void handle(HttpRequest request, Runnable proved, Consumer<HttpReply> reply) {
            requests.add(request);
            replies.add(reply);
        }

        @Override
        public void refuse(HttpRequest request, Failure failure, Consumer<HttpReply> reply) {
            reply.accept(HttpReply.status(WireStatus.of(failure).status()).build());
        }
    }
}
