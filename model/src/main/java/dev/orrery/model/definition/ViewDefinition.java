package dev.orrery.model.definition;

import dev.orrery.model.json.JsonValue.Obj;
import java.util.List;
import java.util.Optional;

/**
 * Makes a container a view of another: its source, named by id or rid, and the query that says what of each item is
 * kept. Clients know it under an old and a new name and may send both.
 */
public record ViewDefinition(Optional<String> sourceId, Optional<String> sourceRid, String query, Obj others) {
    static final String OLD_NAME = "materializedViewDefinition";
    static final String NEW_NAME = "globalSecondaryIndexDefinition";

    private static final String SOURCE_ID = "sourceCollectionId";
    private static final String SOURCE_RID = "sourceCollectionRid";
    private static final String STATUS = "status";

    static Optional<ViewDefinition> find(MemberReader container) {
        var byOldName = container.object(OLD_NAME).map(ViewDefinition::parse);
        var byNewName = container.object(NEW_NAME).map(ViewDefinition::parse);
        if (byOldName.isPresent() && byNewName.isPresent() && !byOldName.get().isSameAs(byNewName.get())) {
            throw container.refusal(
                    NEW_NAME,
                    "differs from " + OLD_NAME + "; they mean the same thing, and a container keeps what it was made"
                            + " with.");
        }
        return byNewName.or(() -> byOldName);
    }

    private static ViewDefinition parse(MemberReader json) {
        var view = new ViewDefinition(
                json.text(SOURCE_ID), json.text(SOURCE_RID), json.requiredText("definition"), others(json));
        if (view.sourceId.isEmpty() && view.sourceRid.isEmpty()) {
            throw json.refusal(SOURCE_ID, "is required: the id of the container that the view is made of.");
        }
        return view;
    }

    /** What clients send back of the status that they were told means nothing. */
    private static Obj others(MemberReader json) {
        return Obj.builder().putAll(json.others()).remove(STATUS).build();
    }

    /** A container that is a view, as it is told to clients: with how far it has come. */
    public static Obj withStatus(Obj container, boolean built) {
        var json = Obj.builder().putAll(container);
        for (var name : List.of(OLD_NAME, NEW_NAME)) {
            if (container.member(name) instanceof Obj view) {
                json.put(
                        name,
                        Obj.builder()
                                .putAll(view)
                                .put(STATUS, built ? "Active" : "InitialBuildAfterCreate")
                                .build());
            }
        }
        return json.build();
    }

    /** True if both say the same, apart from what the server may have added since. */
    boolean isSameAs(ViewDefinition other) {
        return query.equals(other.query) && agree(sourceId, other.sourceId) && agree(sourceRid, other.sourceRid);
    }

    private static boolean agree(Optional<String> one, Optional<String> other) {
        return one.isEmpty() || other.isEmpty() || one.equals(other);
    }

    /** The view with its source found. */
    public ViewDefinition withSource(String id, String rid) {
        return new ViewDefinition(Optional.of(id), Optional.of(rid), query, others);
    }

    Obj toJson() {
        var json = Obj.builder();
        sourceId.ifPresent(id -> json.put(SOURCE_ID, id));
        sourceRid.ifPresent(rid -> json.put(SOURCE_RID, rid));
        return json.put("definition", query).putAll(others).build();
    }
}
