package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.json.JsonWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Writes the envelope around the rows of a feed: {@code {"_rid":"...","Documents":[...],"_count":2}}. */
final class FeedBody {
    private FeedBody() {}

    /** Rows are many and small, so that copying them into one buffer costs less than handing on each of them. */
    static ByteBuffer json(Answer.Feed feed) {
        var opening = new JsonWriter()
                .raw("{\"_rid\":")
                .string(feed.ownerRid())
                .raw(",\"")
                .raw(feed.kind().feedName())
                .raw("\":[");
        var closing = ("],\"_count\":" + feed.rows().size() + "}").getBytes(StandardCharsets.US_ASCII);

        int size = opening.size() + closing.length + Math.max(0, feed.rows().size() - 1);
        for (var row : feed.rows()) {
            size = Math.addExact(size, row.remaining());
        }
        var body = ByteBuffer.allocate(size).put(opening.buffer(), 0, opening.size());
        boolean first = true;
        for (var row : feed.rows()) {
            if (!first) {
                body.put((byte) ',');
            }
            body.put(row.duplicate());
            first = false;
        }
        return body.put(closing).flip();
    }
}
