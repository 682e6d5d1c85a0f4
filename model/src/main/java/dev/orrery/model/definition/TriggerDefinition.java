package dev.orrery.model.definition;

import dev.orrery.model.json.JsonValue.Obj;
import java.util.List;

/** JavaScript that runs before or after a write that names it. */
public record TriggerDefinition(String id, String body, Moment moment, Occasion occasion, Obj others)
        implements Definition {
    private static final String MOMENT = "triggerType";
    private static final String OCCASION = "triggerOperation";

    public enum Moment implements Spelled {
        BEFORE("Pre"),
        AFTER("Post");

        private final String spelling;

        Moment(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    /** The kind of write that it may run with. */
    public enum Occasion implements Spelled {
        ALL("All"),
        CREATE("Create"),
        /** Anything that changes an item which is there. */
        UPDATE("Update"),
        DELETE("Delete"),
        REPLACE("Replace"),
        UPSERT("Upsert");

        private final String spelling;

        Occasion(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    public static TriggerDefinition parse(Obj body) {
        var json = MemberReader.of(body);
        var id = json.scriptId();
        var moment =
                json.choice(MOMENT, Moment.class).orElseThrow(() -> json.refusal(MOMENT, "is required: Pre or Post."));
        var occasion = json.choice(OCCASION, Occasion.class)
                .orElseThrow(() -> json.refusal(OCCASION, "is required: All, Create, Update, Delete or Replace."));
        return new TriggerDefinition(id, ScriptDefinition.body(json), moment, occasion, json.others());
    }

    @Override
    public Obj toJson() {
        return Obj.builder()
                .put("id", id)
                .put("body", body)
                .put(OCCASION, occasion.spelling())
                .put(MOMENT, moment.spelling())
                .putAll(others)
                .build();
    }

    @Override
    public List<String> childSegments() {
        return List.of();
    }
}
