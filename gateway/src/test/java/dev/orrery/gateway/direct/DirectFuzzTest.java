package dev.orrery.gateway.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import dev.orrery.model.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Whatever arrives, a connection answers it or closes; it never fails in another way and keeps nothing. */
class DirectFuzzTest {
    /** {@code -Ddirect.fuzz.rounds=…} for longer runs. */
    private static final int ROUNDS = Integer.getInteger("fuzz.cases", 10_000);

    private static final int OK = 200;

    private final long seed = Long.getLong("test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void mutatedFramesAreAnsweredOrEndTheConnection() {
        System.out.println("DirectFuzzTest: -Dtest.seed=" + seed);
        var requests = RecordedFrames.requests();
        int answered = 0;
        int closed = 0;
        for (int round = 0; round < ROUNDS; round++) {
            var bytes = requests.get(random.nextInt(requests.size())).bytes().clone();
            mutate(bytes);
            var sent = random.nextInt(8) == 0 ? truncated(bytes) : Unpooled.wrappedBuffer(bytes);
            var channel = connection(new Echo());
            channel.writeInbound(Unpooled.wrappedBuffer(RecordedFrames.context()));
            assertThat(channel.<ByteBuf>readOutbound()).as("round %d", round).satisfies(ByteBuf::release);
            channel.writeInbound(sent);
            channel.checkException();
            ByteBuf reply = channel.readOutbound();
            if (reply != null) {
                answered++;
                assertThat(reply.getIntLE(0)).isGreaterThanOrEqualTo(TokenWriter.HEAD_START_BYTES);
                reply.release();
            } else if (!channel.isActive()) {
                closed++;
            }
            channel.finishAndReleaseAll();
        }
        // A test in which nothing gets through, or everything, would show nothing.
        assertThat(answered).isGreaterThan(ROUNDS / 10);
        assertThat(closed).isGreaterThan(ROUNDS / 100);
    }

    @Test
    void randomTokensAreReadOrRefused() {
        System.out.println("DirectFuzzTest: -Dtest.seed=" + seed);
        for (int round = 0; round < ROUNDS; round++) {
            var bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            for (int i = 2; i < bytes.length; i += 1 + random.nextInt(12)) {
                bytes[i] = (byte) random.nextInt(16);
            }
            try {
                var tokens = Tokens.parse(bytes, 0);
                for (int id : tokens.ids()) {
                    tokens.text(id);
                    tokens.number(id);
                    tokens.bytes(id);
                }
                for (var token : RequestToken.values()) {
                    token.in(tokens);
                }
            } catch (BadFrameException _) {
                // The other right answer.
            }
        }
    }

    private void mutate(byte[] bytes) {
        int changes = random.nextInt(6);
        for (int i = 0; i < changes; i++) {
            int at = random.nextInt(bytes.length);
            bytes[at] = switch (random.nextInt(4)) {
                case 0 -> (byte) random.nextInt();
                case 1 -> (byte) (bytes[at] ^ 1 << random.nextInt(8));
                case 2 -> 0;
                default -> (byte) 0xff;
            };
        }
    }

    private ByteBuf truncated(byte[] bytes) {
        return Unpooled.wrappedBuffer(bytes, 0, random.nextInt(bytes.length));
    }

    private static EmbeddedChannel connection(DirectService service) {
        var reader = new FrameReader(MemoryBudget.unlimited());
        var shared = new DirectServer.Connections(
                service, (_, _) -> new DirectReply.Progress(7, "0", "-1#7"), () -> 0, MemoryBudget.unlimited());
        return new EmbeddedChannel(reader, new DirectConnection(shared, reader));
    }

    /** Answers with what it was asked. */
    private static final class Echo implements DirectService {
        @Override
        public void handle(HttpRequest request, Consumer<HttpReply> reply) {
            request.headers().forEach((_, _) -> {});
            reply.accept(HttpReply.status(OK)
                    .header("x-ms-request-charge", "1.00")
                    .body(request.rawPath().getBytes(StandardCharsets.UTF_8))
                    .build());
        }

        @Override
        public void refuse(HttpRequest request, Failure failure, Consumer<HttpReply> reply) {
            reply.accept(HttpReply.status(400).build());
        }
    }
}
