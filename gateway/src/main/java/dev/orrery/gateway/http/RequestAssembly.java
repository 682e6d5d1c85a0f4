package dev.orrery.gateway.http;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMessageDecoderResult;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import java.net.InetSocketAddress;

/** Puts the pieces that the reader delivers together to whole requests, one after another, and refuses the unfit. */
final class RequestAssembly {
    private static final int KEPT_HEAD_BYTES_MAX = 32 * 1024;

    /** Nearly all heads are shorter, and are not counted. */
    private static final int HEAD_BYTES_FREE = 8 * 1024;

    /** The reader keeps what it has read of a head as fields; six bytes may become one, which takes a hundred and fifty. */
    private static final int MEMORY_PER_HEAD_BYTE = 25;

    private final HttpLimits limits;
    private final BodyBudget budget;
    private final RequestBody body;

    private io.netty.handler.codec.http.HttpRequest head;
    private RequestTarget target;
    private int headBytes;
    private int headArrived;
    private int headTaken;
    private boolean continueExpected;

    RequestAssembly(HttpLimits limits, BodyBudget budget) {
        this.limits = limits;
        this.budget = budget;
        this.body = new RequestBody(budget, limits.bodyBytesMax());
    }

    /** Counts what arrives of a head that is not whole yet, with what may come behind it in the same bytes. */
    void arrives(int bytes) {
        if (head != null) {
            return;
        }
        headArrived = Math.min(headArrived + bytes, limits.headBytesMax());
        int wanted = Math.max(0, headArrived - HEAD_BYTES_FREE) * MEMORY_PER_HEAD_BYTE;
        if (wanted > headTaken) {
            budget.take(wanted - headTaken);
            headTaken = wanted;
        }
    }

    /** Takes the next piece, which stays the caller's to release; true when it completes a request. */
    boolean add(HttpObject piece) {
        if (piece.decoderResult().isFailure()) {
            throw new RefusedRequestException(refusalFor(piece.decoderResult().cause()));
        }
        if (piece instanceof io.netty.handler.codec.http.HttpRequest newHead) {
            begin(newHead);
        }
        if (piece instanceof HttpContent content) {
            continueExpected = false;
            body.append(content.content());
            return content instanceof LastHttpContent;
        }
        return false;
    }

    private void begin(io.netty.handler.codec.http.HttpRequest newHead) {
        head = newHead;
        headArrived = 0;
        // The reader limits the request line and the headers one by one; the promise is about both together.
        headBytes = newHead.decoderResult() instanceof HttpMessageDecoderResult sizes ? sizes.totalSize() : 0;
        if (headBytes > limits.headBytesMax()) {
            throw new RefusedRequestException(Refusal.HEAD_TOO_LARGE);
        }
        if (newHead.protocolVersion().majorVersion() != 1) {
            throw new RefusedRequestException(Refusal.UNKNOWN_VERSION);
        }
        var isOld = newHead.protocolVersion().equals(HttpVersion.HTTP_1_0);
        var hosts = newHead.headers().getAll(HttpHeaderNames.HOST);
        if (hosts.size() > 1 || (hosts.isEmpty() && !isOld)) {
            throw new RefusedRequestException(Refusal.NO_HOST);
        }
        if (newHead.headers().getAll(HttpHeaderNames.ORIGIN).size() > 1) {
            throw new RefusedRequestException(Refusal.SEVERAL_ORIGINS);
        }
        target = RequestTarget.of(newHead.uri());
        // Who is meant is said by an absolute target alone; nobody behind us is to go by the header beside it.
        target.authority().ifPresent(host -> newHead.headers().set(HttpHeaderNames.HOST, host));
        var host = newHead.headers().get(HttpHeaderNames.HOST);
        if (host != null && !HostField.isWellFormed(host)) {
            throw new RefusedRequestException(Refusal.BAD_HOST);
        }
        demandKnownCoding(newHead);
        body.begin(HttpUtil.getContentLength(newHead, -1L));
        continueExpected = !isOld && expectsContinue(newHead);
    }

    /** The reader takes chunks apart behind any other coding too, and would hand on what is still packed. */
    private static void demandKnownCoding(io.netty.handler.codec.http.HttpRequest head) {
        var codings = head.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
        boolean known = codings.isEmpty()
                || (codings.size() == 1 && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.getFirst()));
        if (!known) {
            throw new RefusedRequestException(Refusal.UNKNOWN_CODING);
        }
    }

    private static boolean expectsContinue(io.netty.handler.codec.http.HttpRequest head) {
        var expectation = head.headers().get(HttpHeaderNames.EXPECT);
        if (expectation == null || expectation.isEmpty()) {
            return false;
        }
        if (!HttpHeaderValues.CONTINUE.contentEqualsIgnoreCase(expectation)) {
            throw new RefusedRequestException(Refusal.UNKNOWN_EXPECTATION);
        }
        return true;
    }

    /** True from the head of a request until it is released. */
    boolean begun() {
        return head != null;
    }

    /** True once per request whose client waits for a sign before it sends the body. */
    boolean takeContinueExpected() {
        var expected = continueExpected;
        continueExpected = false;
        return expected;
    }

    HttpRequest request(boolean secure, InetSocketAddress remote) {
        return new HttpRequest(
                head.method().name(),
                target.path(),
                target.query(),
                new HttpFields(head.headers()),
                body.finish(),
                secure,
                remote);
    }

    boolean keepsAlive() {
        // The reader of a connection keeps room for the longest line it ever saw; few clients need much.
        return HttpUtil.isKeepAlive(head) && headBytes <= KEPT_HEAD_BYTES_MAX;
    }

    /** HTTP/1.0 clients close unless they are told that the server stays. */
    boolean keepsAliveByWish() {
        return !head.protocolVersion().isKeepAliveDefault() && keepsAlive();
    }

    /** Only since HTTP/1.1 do clients know bodies that come in chunks. */
    boolean knowsChunks() {
        return head.protocolVersion().isKeepAliveDefault();
    }

    boolean headOnly() {
        return head.method().equals(HttpMethod.HEAD);
    }

    /** Gives back what the request held on to. */
    void release() {
        body.release();
        if (headTaken > 0) {
            budget.giveBack(headTaken);
            headTaken = 0;
        }
        headArrived = 0;
        head = null;
    }

    private static Refusal refusalFor(Throwable cause) {
        return cause instanceof TooLongHttpHeaderException || cause instanceof TooLongHttpLineException
                ? Refusal.HEAD_TOO_LARGE
                : Refusal.MALFORMED;
    }
}
