package dev.orrery.gateway.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long a connection stays open of which nobody makes use; the test holds the clock. */
class UnusedConnectionsTest {
    private static final int IDLE_TOLD = 0x04;
    private static final int UNPROVED_TOLD = 0x05;

    private final Held service = new Held();
    private final MemoryBudget memory = MemoryBudget.unlimited();
    private final FrameReader reader = new FrameReader(memory);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private Tokens welcome;

    @BeforeEach
    void introduce() throws BadFrameException {
        channel.freezeTime();
        channel.pipeline()
                .addLast(DirectServer.idleness())
                .addLast(reader)
                .addLast(new DirectConnection(
                        new DirectServer.Connections(
                                service, (_, _) -> new DirectReply.Progress(7, "0", "-1#7"), () -> 0, memory),
                        reader));
        sayWho();
        ByteBuf reply = channel.readOutbound();
        var head = new byte[reply.readableBytes()];
        reply.readBytes(head).release();
        welcome = Tokens.parse(head, TokenWriter.HEAD_START_BYTES);
    }

    @AfterEach
    void release() {
        channel.finishAndReleaseAll();
    }

    @Test
    void clientsAreToldWhatHolds() {
        assertThat(welcome.number(IDLE_TOLD)).contains((long) Limits.DIRECT_IDLE_SECONDS_MAX);
        assertThat(welcome.number(UNPROVED_TOLD)).contains((long) Limits.DIRECT_UNPROVED_SECONDS_MAX);
    }

    @Test
    void whoNeverProvesWhoHeIsHasToGoInTheEnd() {
        pass(Limits.DIRECT_UNPROVED_SECONDS_MAX - 1);
        assertThat(channel.isActive()).as("SDKs open connections in advance").isTrue();
        pass(1);
        assertThat(channel.isActive()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404})
    void refusalsAreNoProofHoweverManyComeAndNeitherIsSayingAgainWhoOneIs(int status) {
        for (int passed = 0; passed < Limits.DIRECT_UNPROVED_SECONDS_MAX; passed += 60) {
            assertThat(channel.isActive()).isTrue();
            sayWho();
            ask();
            service.answer(status);
            pass(60);
        }
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void aSignatureIsProofWhateverTheAnswerIs() {
        ask();
        service.proves();
        service.answer(404);
        pass(Limits.DIRECT_UNPROVED_SECONDS_MAX);
        assertThat(channel.isActive()).isTrue();
    }

    @Test
    void anAnswerIsProofOfTheTokenOfAPermission() {
        ask();
        service.answer(200);
        pass(Limits.DIRECT_UNPROVED_SECONDS_MAX);
        assertThat(channel.isActive()).isTrue();
    }

    @Test
    void aConnectionOnWhichNothingComesIsClosedAfterTheTimeThatClientsAreTold() {
        ask();
        service.proves();
        service.answer(200);
        pass(Limits.DIRECT_IDLE_SECONDS_MAX - 1);
        assertThat(channel.isActive()).isTrue();
        ask();
        service.answer(200);
        pass(Limits.DIRECT_IDLE_SECONDS_MAX - 1);
        assertThat(channel.isActive()).as("it was used").isTrue();
        pass(1);
        assertThat(channel.isActive()).isFalse();
    }

    @Test
    void whateverComesIsUse() {
        ask();
        service.proves();
        service.answer(200);
        pass(Limits.DIRECT_IDLE_SECONDS_MAX - 1);
        channel.writeInbound(Unpooled.EMPTY_BUFFER); // As the health check of the Java SDK.
        pass(Limits.DIRECT_IDLE_SECONDS_MAX - 1);
        assertThat(channel.isActive()).isTrue();
    }

    @Test
    void whoWaitsForAReplyIsNotIdle() {
        ask();
        service.proves();
        pass(Limits.DIRECT_IDLE_SECONDS_MAX);
        assertThat(channel.isActive()).isTrue();
        service.answer(200);
        pass(Limits.DIRECT_IDLE_SECONDS_MAX);
        assertThat(channel.isActive()).isFalse();
    }

    private void sayWho() {
        channel.writeInbound(Unpooled.wrappedBuffer(RecordedFrames.context()));
    }

    private void ask() {
        var out = Unpooled.buffer();
        new TokenWriter(out, 0x03 | 0x03 << 16, new UUID(1, 2))
                .text(RequestToken.DATABASE_NAME, TokenType.STRING, "d")
                .number(RequestToken.TRANSPORT_REQUEST_ID, TokenType.ULONG, 1)
                .end();
        channel.writeInbound(out);
    }

    private void pass(int seconds) {
        channel.advanceTimeBy(seconds, TimeUnit.SECONDS);
        channel.runScheduledPendingTasks();
        channel.releaseOutbound();
    }

    /** Keeps what is asked until the test answers it. */
    private static final class Held implements DirectService {
        private final Deque<Consumer<HttpReply>> replies = new ArrayDeque<>();
        private Runnable proved;

        void proves() {
            proved.run();
        }

        void answer(int status) {
            replies.remove().accept(HttpReply.status(status).build());
        }

        @Override
        public void handle(HttpRequest request, Runnable provesHimself, Consumer<HttpReply> reply) {
            proved = provesHimself;
            replies.add(reply);
        }

        @Override
        public void refuse(HttpRequest request, Failure failure, Consumer<HttpReply> reply) {
            throw new AssertionError(failure);
        }
    }
}
