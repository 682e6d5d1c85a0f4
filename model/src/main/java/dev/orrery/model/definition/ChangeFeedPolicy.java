package dev.orrery.model.definition;

import dev.orrery.model.json.JsonValue.Obj;

/** For how long every version of an item and every delete can be read from the change feed; 0 for the latest only. */
public record ChangeFeedPolicy(int retentionMinutes, Obj others) {

    static ChangeFeedPolicy parse(MemberReader json) {
        return new ChangeFeedPolicy(
                json.whole("retentionDuration", 0, Integer.MAX_VALUE).orElse(0), json.others());
    }

    Obj toJson() {
        return Obj.builder()
                .put("retentionDuration", retentionMinutes)
                .putAll(others)
                .build();
    }
}
