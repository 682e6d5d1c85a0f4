package dev.orrery.gateway.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client: takes its requests one at a time, gives each to the handler, and writes the replies in the same order.
 * Everything here runs on the connection's event loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what fails on a channel comes back through its pipeline
final class HttpConnection extends ChannelInboundHandlerAdapter {
    private static final Logger log = LoggerFactory.getLogger(HttpConnection.class);
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    /** How long a client that was hung up on may stay silent before the connection is closed. */
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** So many pieces of later requests may wait uncounted. */
    private static final int WAITING_FREE = 64;

    /** About what a small request takes that waits. */
    private static final int WAITING_BYTES = 1024;

    /** Sent through the pipeline of every connection when the server closes. */
    enum Drain {
        DRAIN
    }

    private enum State {
        /** No request has begun. */
        IDLE,
        /** A request has begun to arrive. */
        READING,
        /** The handler has the request. */
        ANSWERING,
        /** The client has yet to take the reply. */
        WRITING,
        /** The reply has no end yet: the client takes one piece of it after another. */
        STREAMING,
        /** The last reply is written; whatever still arrives is thrown away. */
        LEAVING
    }

    private final ConnectionSettings settings;
    private final RequestReader reader;
    private final RequestAssembly assembly;
    private final ReplyWriter writer;

    /** What is being written, as long as not all of it is. */
    private HttpReply sending;

    private final boolean turnedAway;
    /** Pieces of later requests that were read together with one that is not answered yet. */
    private final ArrayDeque<HttpObject> waiting = new ArrayDeque<>(0);

    private int waitingTaken;

    private ChannelHandlerContext context;
    private InetSocketAddress remote;
    private ScheduledFuture<?> nextCheck;

    private State state = State.IDLE;
    private long stateSinceNanos;
    private Exchange current;
    private Optional<BodyStream> stream = Optional.empty();
    private boolean pieceAsked;
    private boolean secure;
    private boolean closesAfterReply;
    private boolean draining;
    private boolean inputClosed;
    private boolean hungUp;
    private long heardNanos;

    // Where the event loop is, seen from outside the method that asks.
    private boolean insideRead;
    private boolean insidePump;
    private boolean insideWaiting;
    private boolean unflushed;

    /** A connection that is one too many is turned away as soon as it is there. */
    HttpConnection(ConnectionSettings settings, boolean turnedAway) {
        this.settings = settings;
        this.turnedAway = turnedAway;
        this.reader = new RequestReader(this, settings.limits());
        this.assembly = new RequestAssembly(settings.limits(), settings.bodyBudget());
        this.writer = new ReplyWriter(settings.date());
    }

    RequestReader reader() {
        return reader;
    }

    void becomeSecure() {
        secure = true;
    }

    // Requests in.

    @Override
    public void handlerAdded(ChannelHandlerContext newContext) {
        context = newContext;
        remote = (InetSocketAddress) newContext.channel().remoteAddress();
        enter(State.IDLE);
        scheduleCheck(settings.limits().shortestTimeout().toNanos());
    }

    @Override
    public void channelActive(ChannelHandlerContext ignored) {
        if (turnedAway) {
            refuse(Refusal.TOO_MANY_CONNECTIONS);
        }
    }

    /** Called before the reader sees bytes; false when they are not worth reading. */
    boolean wantsBytes(int count) {
        if (state == State.IDLE) {
            enter(State.READING);
        }
        if (state == State.READING) {
            try {
                assembly.arrives(count);
            } catch (RefusedRequestException e) {
                refuse(e.refusal());
            }
        }
        if (hungUp) {
            heardNanos = nowNanos();
        }
        return state != State.LEAVING && state != State.STREAMING;
    }

    @Override
    public void channelRead(ChannelHandlerContext ignored, Object message) {
        insideRead = true;
        if (!channel().isActive() || !(message instanceof HttpObject piece)) {
            ReferenceCountUtil.release(message);
            return;
        }
        switch (state) {
            case IDLE, READING -> take(piece);
            case ANSWERING, WRITING -> {
                waiting.add(piece);
                channel().config().setAutoRead(false);
                countWaiting();
            }
            case STREAMING, LEAVING -> ReferenceCountUtil.release(piece);
        }
    }

    /** Sixty kilobytes that were read at once may be two thousand requests. */
    private void countWaiting() {
        if (waiting.size() <= WAITING_FREE) {
            return;
        }
        try {
            settings.bodyBudget().take(WAITING_BYTES);
            waitingTaken += WAITING_BYTES;
        } catch (RefusedRequestException e) {
            log.debug("A client sent more ahead than there is memory for", e);
            context.close();
        }
    }

    private void forgetWaitingCount() {
        if (waitingTaken > 0) {
            settings.bodyBudget().giveBack(waitingTaken);
            waitingTaken = 0;
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ignored) {
        insideRead = false;
        flush();
    }

    private void take(HttpObject piece) {
        boolean complete;
        try {
            complete = assembly.add(piece);
        } catch (RefusedRequestException e) {
            refuse(e.refusal());
            return;
        } finally {
            ReferenceCountUtil.release(piece);
        }
        if (complete) {
            dispatch();
        } else if (assembly.takeContinueExpected()) {
            context.write(Unpooled.wrappedBuffer(CONTINUE), context.voidPromise());
            unflushed = true;
        }
    }

    private void dispatch() {
        var exchange = new Exchange(
                assembly.keepsAlive(), assembly.keepsAliveByWish(), assembly.headOnly(), assembly.knowsChunks());
        current = exchange;
        enter(State.ANSWERING);
        try {
            settings.handler().handle(assembly.request(secure, remote), exchange);
        } catch (RuntimeException | Error e) {
            log.error("A request failed", e);
            if (!exchange.answered) {
                answer(exchange, Refusal.HANDLER_FAILED.reply());
            }
        }
    }

    // Replies out.

    /** What the reply needs to remember of its request. */
    private final class Exchange implements Consumer<HttpReply> {
        private final boolean keepsAlive;
        private final boolean keepsAliveByWish;
        private final boolean headOnly;
        private final boolean knowsChunks;
        private boolean answered;

        private Exchange(boolean keepsAlive, boolean keepsAliveByWish, boolean headOnly, boolean knowsChunks) {
            this.keepsAlive = keepsAlive;
            this.keepsAliveByWish = keepsAliveByWish;
            this.headOnly = headOnly;
            this.knowsChunks = knowsChunks;
        }

        @Override
        public void accept(HttpReply reply) {
            var loop = channel().eventLoop();
            if (loop.inEventLoop()) {
                answer(this, reply);
                flush();
                return;
            }
            try {
                loop.execute(() -> {
                    answer(this, reply);
                    flush();
                });
            } catch (RejectedExecutionException e) {
                log.debug("A reply came after the server was closed", e);
                reply.stream().ifPresent(BodyStream::close);
            }
        }
    }

    private void answer(Exchange exchange, HttpReply reply) {
        if (exchange.answered) {
            log.error("A request was answered twice; the second reply had status {}", reply.status());
            reply.gone();
            reply.stream().ifPresent(BodyStream::close);
            return;
        }
        exchange.answered = true;
        if (exchange != current) {
            reply.gone();
            reply.stream().ifPresent(BodyStream::close);
            return; // the client has gone
        }
        current = null;
        assembly.release();
        if (reply.stream().isPresent() && !exchange.headOnly) {
            beginStream(reply, exchange.knowsChunks);
            return;
        }
        reply.stream().ifPresent(BodyStream::close);
        enter(State.WRITING);
        sending = reply;
        closesAfterReply = reply.close() || !exchange.keepsAlive || draining || (inputClosed && waiting.isEmpty());
        write(reply, exchange.headOnly, exchange.keepsAliveByWish);
        pump();
    }

    private void write(HttpReply reply, boolean headOnly, boolean keepsAliveByWish) {
        unflushed = true;
        if (closesAfterReply) {
            var written = context.newPromise().addListener(done -> hangUp());
            writer.begin(context, reply, headOnly, ReplyWriter.Connection.CLOSE, written);
        } else {
            var mention = keepsAliveByWish ? ReplyWriter.Connection.KEEP_ALIVE : ReplyWriter.Connection.UNMENTIONED;
            writer.begin(context, reply, headOnly, mention, context.voidPromise());
        }
    }

    /** Writes as much of the reply as the client takes, and goes on when it has taken everything. */
    private void pump() {
        if (insidePump) {
            return;
        }
        insidePump = true;
        while (!writer.done() && writable()) {
            writer.next(context);
            unflushed = true;
        }
        insidePump = false;
        if (!writer.done()) {
            return;
        }
        forgetReply();
        if (state == State.STREAMING) {
            askForPiece();
        } else if (closesAfterReply) {
            enter(State.LEAVING);
        } else if (channel().isWritable()) {
            awaitNextRequest();
        }
    }

    private void forgetReply() {
        if (sending != null) {
            sending.gone();
            sending = null;
        }
    }

    private boolean writable() {
        if (!channel().isWritable()) {
            unflushed = false;
            context.flush();
        }
        return channel().isWritable();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ignored) {
        if ((state == State.WRITING || state == State.STREAMING) && channel().isWritable()) {
            if (state == State.STREAMING) {
                enter(State.STREAMING); // Its client is allowed time for each step, not for the whole.
            }
            pump();
            flush();
        }
    }

    // Replies without an end.

    private void beginStream(HttpReply reply, boolean inChunks) {
        // There will be no other reply, so nothing but the end of its input is of interest from the client.
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
        forgetWaitingCount();
        readOn();
        stream = reply.stream();
        enter(State.STREAMING);
        writer.beginStream(context, reply, inChunks);
        unflushed = true;
        if (inputClosed) {
            context.close();
        } else if (draining) {
            breakStream();
        } else {
            pump();
        }
    }

    private void askForPiece() {
        if (pieceAsked || !channel().isWritable()) {
            return;
        }
        pieceAsked = true;
        var loop = channel().eventLoop();
        stream.orElseThrow().next().whenComplete((piece, problem) -> {
            try {
                loop.execute(() -> takePiece(piece, problem));
            } catch (RejectedExecutionException e) {
                log.debug("A piece came after the server was closed", e);
            }
        });
    }

    private void takePiece(Optional<ByteBuffer> piece, Throwable problem) {
        pieceAsked = false;
        if (state != State.STREAMING || !channel().isActive()) {
            return;
        }
        if (problem != null) {
            log.error("A stream failed", problem);
            context.close();
        } else if (piece.isEmpty()) {
            endStream();
        } else {
            enter(State.STREAMING);
            writer.take(piece.get());
            pump();
            flush();
        }
    }

    private void endStream() {
        enter(State.LEAVING);
        writer.endStream(context, context.newPromise().addListener(written -> hangUp()));
        unflushed = true;
        flush();
        closeStream();
    }

    private void closeStream() {
        stream.ifPresent(BodyStream::close);
        stream = Optional.empty();
    }

    private void flush() {
        if (unflushed && !insideRead) {
            unflushed = false;
            context.flush();
        }
    }

    private void awaitNextRequest() {
        if (!waiting.isEmpty()) {
            enter(State.READING);
            takeWaiting();
        } else if (inputClosed) {
            leave();
        } else if (reader.holdsBytes()) {
            enter(State.READING);
        } else if (draining) {
            leave();
        } else {
            enter(State.IDLE);
        }
    }

    // A loop, because a handler that answers at once would otherwise nest as deep as the client sends ahead.
    private void takeWaiting() {
        if (insideWaiting) {
            return;
        }
        insideWaiting = true;
        while (state == State.READING && !waiting.isEmpty()) {
            take(waiting.poll());
        }
        insideWaiting = false;
        if (waiting.isEmpty()) {
            forgetWaitingCount();
            readOn();
        }
    }

    // Netty's epoll transport forgets a socket whose input has ended, and fails when it is asked to read from it again.
    private void readOn() {
        if (!inputClosed) {
            channel().config().setAutoRead(true);
        }
    }

    // The end.

    /** Closes after a reply that did not say so, because only now is it known to be the last. */
    private void leave() {
        enter(State.LEAVING);
        context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> hangUp());
    }

    private void refuse(Refusal refusal) {
        forgetRequests();
        closesAfterReply = true;
        write(refusal.reply(), false, false);
        enter(State.LEAVING);
        readOn();
        flush();
    }

    /**
     * Closes in a way that lets the client read the last reply: closing a socket with unread bytes in it resets the
     * connection, which also destroys what is on its way to the client. So whoever is still sending may go on for a while.
     */
    private void hangUp() {
        hungUp = true;
        if (inputClosed || !channel().isActive()) {
            context.close();
            return;
        }
        var tls = context.pipeline().get(SslHandler.class);
        if (tls != null) {
            tls.closeOutbound();
        } else if (channel() instanceof DuplexChannel duplex) {
            duplex.shutdownOutput();
        }
        heardNanos = nowNanos();
        lingerOn(LINGER_NANOS);
    }

    private void lingerOn(long delayNanos) {
        channel().eventLoop().schedule(this::closeUnlessHeard, delayNanos, TimeUnit.NANOSECONDS);
    }

    private void closeUnlessHeard() {
        var leftNanos = heardNanos + LINGER_NANOS - nowNanos();
        if (leftNanos > 0 && channel().isActive()) {
            lingerOn(leftNanos);
        } else {
            context.close();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ignored, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputClosed = true;
            // Whoever stops sending may still want the reply, but nobody waits for one without an end.
            if (state == State.IDLE || state == State.READING || state == State.STREAMING || hungUp) {
                context.close();
            }
        } else if (event == Drain.DRAIN) {
            draining = true;
            if (state == State.IDLE) {
                context.close();
            } else if (state == State.STREAMING) {
                breakStream();
            }
        }
    }

    /** Ends a stream before its end, which a client can tell by the missing last chunk. */
    private void breakStream() {
        closeStream();
        flush();
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ignored) {
        forgetRequests();
        forgetReply();
        closeStream();
        nextCheck.cancel(false);
    }

    private void forgetRequests() {
        current = null;
        assembly.release();
        waiting.forEach(ReferenceCountUtil::release);
        waiting.clear();
        forgetWaitingCount();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ignored, Throwable cause) {
        // Connections that break and handshakes that fail are the client's affair, anything else is ours.
        if (cause instanceof IOException
                || (cause instanceof DecoderException && cause.getCause() instanceof IOException)) {
            log.debug("A connection broke", cause);
        } else {
            log.error("A connection failed", cause);
        }
        context.close();
    }

    // Time.

    private void enter(State newState) {
        state = newState;
        stateSinceNanos = nowNanos();
    }

    private long nowNanos() {
        return settings.nanos().getAsLong();
    }

    private void scheduleCheck(long delayNanos) {
        nextCheck = context.executor().schedule(this::check, delayNanos, TimeUnit.NANOSECONDS);
    }

    // One lazy timer per connection: setting one per request would cost more than most requests do.
    private void check() {
        var limits = settings.limits();
        var leftNanos = stateSinceNanos
                - nowNanos()
                + switch (state) {
                    case IDLE -> limits.idleTimeout().toNanos();
                    case READING -> limits.requestTimeout().toNanos();
                    // How long an answer takes is the handler's affair, unless nobody may be there to read it.
                    case ANSWERING -> inputClosed ? limits.replyTimeout().toNanos() : Long.MAX_VALUE / 2;
                    // A stream that has nothing to say is as it should be.
                    case STREAMING ->
                        pieceAsked ? Long.MAX_VALUE / 2 : limits.replyTimeout().toNanos();
                    case WRITING, LEAVING -> limits.replyTimeout().toNanos();
                };
        var shortestNanos = limits.shortestTimeout().toNanos();
        if (leftNanos > 0) {
            scheduleCheck(Math.min(leftNanos, shortestNanos));
        } else if (state == State.READING && (assembly.begun() || reader.holdsBytes())) {
            refuse(Refusal.TIMED_OUT);
            scheduleCheck(shortestNanos);
        } else {
            context.close();
        }
    }

    private Channel channel() {
        return context.channel();
    }
}
