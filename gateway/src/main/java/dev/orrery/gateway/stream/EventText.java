package dev.orrery.gateway.stream;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes server-sent events, as the HTML standard has them. */
final class EventText {
    private static final byte[] CHANGE = ascii("event: change\ndata: ");
    private static final byte[] ERROR = ascii("event: error\ndata: ");
    private static final byte[] END = ascii("\n\n");

    private EventText() {}

    /**
     * An event for each change. Only the last has an id: whoever went on from between two changes of one commit would
     * see that commit in two halves.
     */
    static ByteBuffer changes(List<ByteBuffer> rows, String id) {
        var idLine = idLine(id);
        int size = idLine.length;
        for (var row : rows) {
            size = Math.addExact(size, CHANGE.length + row.remaining() + END.length);
        }
        var text = ByteBuffer.allocate(size);
        for (int i = 0; i < rows.size(); i++) {
            if (i == rows.size() - 1) {
                text.put(idLine);
            }
            text.put(CHANGE);
            putOnOneLine(text, rows.get(i));
            text.put(END);
        }
        return text.flip();
    }

    /** Line ends stand between the values of an item only: within a string they are always escaped. */
    private static void putOnOneLine(ByteBuffer text, ByteBuffer json) {
        int from = text.position();
        text.put(json.duplicate());
        for (int at = from; at < text.position(); at++) {
            if (text.get(at) == '\n' || text.get(at) == '\r') {
                text.put(at, (byte) ' ');
            }
        }
    }

    /** The place to go on from, without an event. */
    static ByteBuffer place(String id) {
        return ByteBuffer.wrap(ascii("id: " + id + "\n\n"));
    }

    /** Says that the stream is alive, which clients pass over, and the place to go on from. */
    static ByteBuffer alive(String id) {
        return ByteBuffer.wrap(ascii(": alive\nid: " + id + "\n\n"));
    }

    static ByteBuffer error(byte[] json) {
        return ByteBuffer.allocate(ERROR.length + json.length + END.length)
                .put(ERROR)
                .put(json)
                .put(END)
                .flip();
    }

    private static byte[] idLine(String id) {
        return ascii("id: " + id + "\n");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
