package dev.orrery.server.transfer;

import dev.orrery.gateway.client.ContainerClient.Write;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.EffectivePartitionKey;
import dev.orrery.model.key.PartitionKeyDefinition;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Pattern;

/** Makes records that can be sent out of the texts of a file. */
final class RecordMaker {
    /** How the one judge of JSON says where a text is wrong. */
    private static final Pattern PLACE = Pattern.compile(
            "Malformed JSON at line (\\d+), column (\\d+) \\(byte offset \\d+\\): (.*)", Pattern.DOTALL);

    private static final int VALUE_CHARACTERS_MAX = 40;

    private final PartitionKeyDefinition partitionKey;
    private final Conflict conflict;
    private final boolean generateIds;
    private final String run;

    RecordMaker(PartitionKeyDefinition partitionKey, ImportPlan plan) {
        this.partitionKey = partitionKey;
        this.conflict = plan.conflict();
        this.generateIds = plan.generateIds();
        this.run = plan.start().run();
    }

    /** A text that is no item. */
    static final class UnfitException extends Exception {
        private static final long serialVersionUID = 1L;
        private final transient Entry.Malformed place;

        UnfitException(Entry.Malformed place) {
            super(place.message(), null, false, false);
            this.place = place;
        }

        Entry.Malformed place() {
            return place;
        }
    }

    ItemRecord make(long number, String file, Entry.Text text) throws UnfitException {
        var json = text.json();
        var item = parse(text, json);
        if (generateIds && item.member("id").isUndefined()) {
            json = withId(json, item.size(), number);
            item = parse(text, json);
        }
        var id = id(text, item);
        var key = partitionKey.extract(item);
        return new ItemRecord(
                number,
                file,
                text.line(),
                id,
                item,
                new Write(conflict == Conflict.REPLACE, key, json),
                EffectivePartitionKey.of(key, partitionKey));
    }

    private static Obj parse(Entry.Text text, byte[] json) throws UnfitException {
        try {
            if (JsonReader.parse(json) instanceof Obj item) {
                return item;
            }
            throw unfit(text, "An item is a JSON object, and this is not one.");
        } catch (FailureException bad) {
            throw new UnfitException(place(text, bad.getMessage()));
        }
    }

    /** Where in the file it is, if the message says where in the text. */
    private static Entry.Malformed place(Entry.Text text, String message) {
        var said = PLACE.matcher(message);
        if (!said.matches()) {
            return new Entry.Malformed(text.line(), 0, message);
        }
        long line = Long.parseLong(said.group(1));
        long column = Long.parseLong(said.group(2)) + (line == 1 ? text.column() - 1 : 0);
        return new Entry.Malformed(text.line() + line - 1, column, "Malformed JSON: " + said.group(3));
    }

    private String id(Entry.Text text, Obj item) throws UnfitException {
        return switch (item.member("id")) {
            case Str(var id) when !id.isEmpty() -> id;
            case JsonValue.Undefined _ ->
                throw unfit(text, "The item has no id. With --generate-ids such items are given one.");
            case JsonValue.Defined other ->
                throw unfit(text, "The id must be a string that is not empty, not " + shown(other) + ".");
        };
    }

    private static String shown(JsonValue value) {
        var text = JsonWriter.text(value);
        return text.length() <= VALUE_CHARACTERS_MAX ? text : text.substring(0, VALUE_CHARACTERS_MAX) + "...";
    }

    /** The same record of the same import always has the same id, however often it is sent. */
    private byte[] withId(byte[] json, int members, long number) {
        var id = UUID.nameUUIDFromBytes((run + ":" + number).getBytes(StandardCharsets.UTF_8));
        int open = 0;
        while (json[open] != '{') {
            open++;
        }
        var member = ("\"id\":\"" + id + "\"" + (members == 0 ? "" : ",")).getBytes(StandardCharsets.UTF_8);
        var all = new ByteText();
        all.append(json, 0, open + 1);
        all.append(member, 0, member.length);
        all.append(json, open + 1, json.length - open - 1);
        return all.copy();
    }

    private static UnfitException unfit(Entry.Text text, String message) {
        return new UnfitException(new Entry.Malformed(text.line(), 0, message));
    }
}
