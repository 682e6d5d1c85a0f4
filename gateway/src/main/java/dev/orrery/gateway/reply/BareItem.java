package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.json.SystemProperties;
import java.nio.ByteBuffer;

/** Items without the properties that the server has added to them. */
final class BareItem {
    private BareItem() {}

    static ByteBuffer json(ByteBuffer item) {
        var bytes = new byte[item.remaining()];
        item.duplicate().get(bytes);
        var bare = Obj.builder();
        ((Obj) JsonReader.parse(bytes)).members().forEach((name, value) -> {
            if (!SystemProperties.isSystemName(name)) {
                bare.put(name, value);
            }
        });
        return ByteBuffer.wrap(JsonWriter.bytes(bare.build()));
    }

    static Answer.Feed feed(Answer.Feed feed) {
        return new Answer.Feed(
                feed.kind(),
                feed.ownerRid(),
                feed.rows().stream().map(BareItem::json).toList());
    }
}
