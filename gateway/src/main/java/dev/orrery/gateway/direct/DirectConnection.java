package dev.orrery.gateway.direct;

import dev.orrery.gateway.direct.DirectReply.Progress;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslCloseCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client in Direct mode: both say who they are, then requests come without waiting for replies, and replies go out
 * as they are ready. Everything here runs on the connection's event loop, except where a reply is handed over.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel comes back through its pipeline
final class DirectConnection extends SimpleChannelInboundHandler<RequestFrame> {
    private static final Logger LOG = LoggerFactory.getLogger(DirectConnection.class);

    /** Nothing at so many looks, and nothing is on its way: who was refused waits for a second or more. */
    private static final int QUIET_LOOKS = 25;

    private static final int LOOK_AGAIN_MILLIS = 10;

    private static final int SUCCESS_END = 400;

    private static final InetSocketAddress UNKNOWN = InetSocketAddress.createUnresolved("unknown", 0);

    private final DirectServer.Connections shared;
    private final FrameReader reader;
    private ChannelHandlerContext context;
    private InetSocketAddress remote;
    private boolean introduced;
    private boolean draining;
    private boolean peerLeft;
    private int inFlight;
    private ScheduledFuture<?> lateness;
    private boolean proved;
    private ScheduledFuture<?> unproved;
    private long framesRead;

    DirectConnection(DirectServer.Connections shared, FrameReader reader) {
        this.shared = shared;
        this.reader = reader;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext newContext) {
        context = newContext;
        remote = newContext.channel().remoteAddress() instanceof InetSocketAddress address ? address : UNKNOWN;
        expectProgress();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ignored, RequestFrame frame) {
        framesRead++;
        if (frame.isContext()) {
            introduce(frame);
        } else if (!introduced) {
            shared.memory().giveBack(frame.memoryTaken());
            context.close();
        } else {
            serve(frame);
        }
    }

    private void introduce(RequestFrame frame) {
        var refusal = Introduction.refusal(frame);
        var reply = context.writeAndFlush(Introduction.reply(context.alloc(), frame, refusal));
        introduced = refusal.isEmpty();
        if (introduced && unproved == null) {
            expectProof();
        }
        if (!introduced) {
            reply.addListener(_ -> context.close());
        } else {
            leaveIfDone();
        }
    }

    private void serve(RequestFrame frame) {
        inFlight++;
        pace();
        try {
            if (draining) {
                // Not begun, so the client may safely send it elsewhere, or here once we are back.
                refuse(frame, new Failure.Gone("The server is shutting down."));
                return;
            }
            if (frame.refusal().isPresent()) {
                refuse(frame, frame.refusal().get());
                return;
            }
            shared.service().handle(DirectRequest.read(frame, remote), () -> proved = true, once(frame));
        } catch (FailureException refused) {
            refuse(frame, refused.failure());
        }
    }

    private void refuse(RequestFrame frame, Failure failure) {
        shared.service().refuse(DirectRequest.bare(frame, remote), failure, once(frame));
    }

    private Consumer<HttpReply> once(RequestFrame frame) {
        return reply -> {
            if (context.executor().inEventLoop()) {
                answer(frame, reply);
            } else {
                context.executor().execute(() -> answer(frame, reply));
            }
        };
    }

    private void answer(RequestFrame frame, HttpReply reply) {
        inFlight--;
        proved |= reply.status() < SUCCESS_END;
        shared.memory().giveBack(frame.memoryTaken());
        var progress = shared.progress().of(frame.replica(), reply);
        context.writeAndFlush(frame(frame, reply, progress)).addListener(_ -> reply.gone());
        pace();
        leaveIfDone();
    }

    private Object frame(RequestFrame frame, HttpReply reply, Progress progress) {
        return DirectReply.frame(
                context.alloc(), frame, reply, progress, shared.otherRegions().getAsInt());
    }

    // Pace: who sends more than we may hold, or does not read, has to wait.

    private void pace() {
        context.channel()
                .config()
                .setAutoRead(inFlight < Limits.DIRECT_IN_FLIGHT_MAX
                        && context.channel().isWritable());
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ignored) {
        pace();
    }

    /** What has begun must become whole in time, and so must the first frame of all. */
    private void expectProgress() {
        long seen = framesRead;
        lateness = context.executor()
                .schedule(
                        () -> {
                            boolean stuck = framesRead == seen && reader.isMidFrame();
                            if (stuck || !introduced) {
                                context.close();
                            } else {
                                lateness = null;
                            }
                        },
                        Limits.HTTP_REQUEST_SECONDS_MAX,
                        TimeUnit.SECONDS);
    }

    /** Anybody can say who he is; to stay, one has to show once that one has a key of the account. */
    private void expectProof() {
        unproved = context.executor()
                .schedule(
                        () -> {
                            if (!proved) {
                                context.close();
                            }
                        },
                        Limits.DIRECT_UNPROVED_SECONDS_MAX,
                        TimeUnit.SECONDS);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ignored) {
        if (lateness == null && reader.isMidFrame()) {
            expectProgress();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ignored) {
        if (lateness != null) {
            lateness.cancel(false);
        }
        if (unproved != null) {
            unproved.cancel(false);
        }
    }

    // The end.

    @Override
    public void userEventTriggered(ChannelHandlerContext ignored, Object event) {
        switch (event) {
            case DirectServer.Drain.DRAIN -> draining = true;
            // Sockets stay half open for the sake of HTTP. No client of Direct mode waits for replies behind its end.
            case ChannelInputShutdownEvent _, SslCloseCompletionEvent _ -> peerLeft = true;
            // Nothing has come for long. Who waits for a reply goes on waiting.
            case IdleStateEvent _ -> peerLeft |= inFlight == 0;
            default -> {}
        }
        leaveIfDone();
    }

    private void leaveIfDone() {
        if (inFlight > 0) {
            return;
        }
        if (peerLeft) {
            context.close();
        } else if (draining) {
            leaveWhenQuiet();
        }
    }

    /**
     * What a client has sent before it hears of the end is refused, so that it knows that it was not begun. Closing over
     * it would make it doubt, and a client does not repeat a write of which it is in doubt.
     */
    private void leaveWhenQuiet() {
        look(framesRead, QUIET_LOOKS);
    }

    /** Counts looks at the socket instead of time: on a machine that stalls, much may wait there after any while. */
    private void look(long seen, int looks) {
        context.executor()
                .schedule(
                        () -> {
                            if (framesRead != seen || reader.isMidFrame()) {
                                return; // Whatever came comes here again with its reply.
                            }
                            if (looks == 1) {
                                context.close();
                            } else {
                                look(seen, looks - 1);
                            }
                        },
                        LOOK_AGAIN_MILLIS,
                        TimeUnit.MILLISECONDS);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ignored, Throwable problem) {
        var cause = problem instanceof DecoderException && problem.getCause() != null ? problem.getCause() : problem;
        switch (cause) {
            case BadFrameException bad -> LOG.debug("closing a connection from {}: {}", remote, bad.getMessage());
            case IOException gone -> LOG.debug("a client of Direct mode is gone: {}", gone.getMessage());
            default -> LOG.warn("closing a connection of Direct mode from {}", remote, cause);
        }
        context.close();
    }
}
