package dev.orrery.gateway.direct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import dev.orrery.model.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Whatever arrives, a connection answers it or closes; it never fails in another way and keeps nothing. */
class DirectFuzzTest {
    private static final long MINUTES = Long.getLong("fuzz.minutes", 0);
    private static final int ROUNDS = Integer.getInteger("fuzz.cases", 100_000);

    private static final byte[] CONTEXT = RecordedFrames.context();
    private static final int OK = 200;
    private static final long MEMORY_BYTES = 64 << 20;

    private final long seed = Long.getLong("test.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @Test
    void mutatedFramesAreAnsweredOrEndTheConnection() {
        System.out.println("DirectFuzzTest: -Dtest.seed=" + seed);
        var requests = RecordedFrames.requests();
        var memory = new MemoryBudget(MEMORY_BYTES, 0);
        var buffers = new UnpooledByteBufAllocator(false);
        var reader = new FrameReader(memory);
        var channel = connection(reader, memory, buffers);
        int answered = 0;
        int closed = 0;
        long rounds = 0;
        for (long end = endNanos(); goesOn(rounds, end); rounds++) {
            var bytes = requests.get(random.nextInt(requests.size())).bytes().clone();
            mutate(bytes);
            int length = random.nextInt(8) == 0 ? random.nextInt(1, bytes.length) : bytes.length;
            channel.writeInbound(buffers.buffer().writeBytes(bytes, 0, length));
            channel.checkException();
            ByteBuf reply = channel.readOutbound();
            if (reply != null) {
                answered++;
                assertThat(reply.getIntLE(0)).isGreaterThanOrEqualTo(TokenWriter.HEAD_START_BYTES);
                reply.release();
            } else if (channel.isActive()) {
                assertThat(reader.isMidFrame())
                        .as("round %d: a whole frame is never passed over in silence", rounds)
                        .isTrue();
            } else {
                closed++;
            }
            if (!channel.isActive() || reader.isMidFrame()) {
                channel.finishAndReleaseAll();
                reader = new FrameReader(memory);
                channel = connection(reader, memory, buffers);
            }
            assertThat(memory.bytesTaken()).as("round %d", rounds).isZero();
            assertThat(buffers.metric().usedHeapMemory() + buffers.metric().usedDirectMemory())
                    .as("round %d: buffers that nobody has released", rounds)
                    .isZero();
        }
        channel.finishAndReleaseAll();
        // A test in which nothing gets through, or everything, would show nothing.
        System.out.println("DirectFuzzTest: " + rounds + " frames without a finding");
        assertThat((long) answered).isGreaterThan(rounds / 10);
        assertThat((long) closed).isGreaterThan(rounds / 100);
    }

    @Test
    void randomTokensAreReadOrRefused() {
        System.out.println("DirectFuzzTest: -Dtest.seed=" + seed);
        long rounds = 0;
        for (long end = endNanos(); goesOn(rounds, end); rounds++) {
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
        System.out.println("DirectFuzzTest: " + rounds + " tokens without a finding");
    }

    private static long endNanos() {
        return System.nanoTime() + MINUTES * 60_000_000_000L;
    }

    private static boolean goesOn(long rounds, long endNanos) {
        return MINUTES > 0 ? System.nanoTime() - endNanos < 0 : rounds < ROUNDS;
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

    /** One whose client has said who it is. */
    private static EmbeddedChannel connection(FrameReader reader, MemoryBudget memory, ByteBufAllocator buffers) {
        var shared = new DirectServer.Connections(
                new Echo(), (_, _) -> new DirectReply.Progress(7, "0", "-1#7"), () -> 0, memory);
        var channel = new EmbeddedChannel(reader, new DirectConnection(shared, reader));
        channel.config().setAllocator(buffers);
        channel.writeInbound(buffers.buffer().writeBytes(CONTEXT));
        assertThat(channel.<ByteBuf>readOutbound()).satisfies(ByteBuf::release);
        return channel;
    }

    /** Answers with what it was asked. */
    private static final class Echo implements DirectService {
        @Override
        public void handle(HttpRequest request, Runnable proved, Consumer<HttpReply> reply) {
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
