package dev.orrery.gateway.direct;

import dev.orrery.model.Failure;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Cuts what arrives into frames. Head and payload have a length each, so a frame is known to be whole only after its
 * tokens are read. What a peer can make us keep is bounded, and before the first frame bounded tightly.
 */
final class FrameReader extends ByteToMessageDecoder {
    private RequestFrame head;
    private int payloadBytes = -1;
    private long bytesToSkip;
    private boolean introduced;
    private final MemoryBudget memory;

    /** What the payload that is arriving has taken. */
    private long memoryTaken;

    FrameReader(MemoryBudget memory) {
        this.memory = memory;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) throws BadFrameException {
        if (bytesToSkip > 0) {
            int skipped = (int) Math.min(bytesToSkip, in.readableBytes());
            in.skipBytes(skipped);
            bytesToSkip -= skipped;
        } else if (head == null) {
            readHead(in);
        } else if (head.hasPayload() && payloadBytes < 0) {
            readPayloadLength(in);
        } else if (payloadBytes > 0) {
            readPayload(in, out);
            return;
        }
        if (bytesToSkip == 0 && head != null && (!head.hasPayload() || payloadBytes == 0)) {
            emit(head, out);
        }
    }

    /** Whether a frame has begun and is not whole. */
    boolean isMidFrame() {
        return head != null || actualReadableBytes() > 0;
    }

    private void readHead(ByteBuf in) throws BadFrameException {
        if (in.readableBytes() < Integer.BYTES) {
            return;
        }
        long length = in.getUnsignedIntLE(in.readerIndex());
        int longest = introduced ? Limits.DIRECT_HEAD_BYTES_MAX : Limits.DIRECT_CONTEXT_BYTES_MAX;
        if (length < TokenWriter.HEAD_START_BYTES || length > longest) {
            throw new BadFrameException("a head claims to have " + length + " bytes");
        }
        if (in.readableBytes() < length) {
            return;
        }
        var bytes = new byte[(int) length];
        in.readBytes(bytes);
        var start = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        head = RequestFrame.of(
                Short.toUnsignedInt(start.getShort(4)),
                Short.toUnsignedInt(start.getShort(6)),
                Tokens.guid(start, 8),
                Tokens.parse(bytes, TokenWriter.HEAD_START_BYTES));
        // A request before the first frame of a connection could be of any size, from anybody.
        if (!introduced && !head.isContext()) {
            throw new BadFrameException("a connection begins with a request instead of a context");
        }
        payloadBytes = -1;
    }

    private void readPayloadLength(ByteBuf in) throws BadFrameException {
        if (in.readableBytes() < Integer.BYTES) {
            return;
        }
        long length = in.readUnsignedIntLE();
        // A context never has a body, so only requests hold memory.
        if (head.isContext() || length > Limits.DIRECT_SKIPPED_BYTES_MAX) {
            throw new BadFrameException("a payload claims to have " + length + " bytes");
        }
        if (length > Limits.HTTP_BODY_BYTES_MAX) {
            head = head.refused(new Failure.TooLarge("The body of a request is too large."));
            bytesToSkip = length;
            payloadBytes = 0;
        } else {
            payloadBytes = (int) length;
        }
    }

    private void readPayload(ByteBuf in, List<Object> out) {
        // As it arrives: an announcement costs a client nothing.
        long missing = Math.min(in.readableBytes(), payloadBytes) - memoryTaken;
        if (!memory.tryTake(missing)) {
            giveBack();
            head = head.refused(MemoryBudget.shortage().failure());
            int skipped = Math.min(in.readableBytes(), payloadBytes);
            in.skipBytes(skipped);
            bytesToSkip = (long) payloadBytes - skipped;
            payloadBytes = 0;
            if (bytesToSkip == 0) {
                emit(head, out);
            }
            return;
        }
        memoryTaken += missing;
        if (in.readableBytes() >= payloadBytes) {
            var payload = new byte[payloadBytes];
            in.readBytes(payload);
            emit(head.withPayload(payload, memoryTaken), out);
            memoryTaken = 0;
        }
    }

    private void giveBack() {
        memory.giveBack(memoryTaken);
        memoryTaken = 0;
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext context) {
        giveBack();
    }

    private void emit(RequestFrame frame, List<Object> out) {
        introduced = true;
        head = null;
        payloadBytes = -1;
        out.add(frame);
    }
}
