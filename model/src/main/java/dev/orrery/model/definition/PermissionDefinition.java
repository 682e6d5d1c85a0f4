package dev.orrery.model.definition;

import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.key.PartitionKey;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a user may do with one resource, or with one logical partition of it; a replace may change all of it.
 *
 * <p>The link is kept as the client wrote it: it may consist of names or of rids.
 */
public record PermissionDefinition(
        String id, Mode mode, String resourceLink, Optional<PartitionKey> resourcePartitionKey, Obj others)
        implements Definition {
    private static final String TOKEN = "_token";
    private static final String PARTITION_KEY = "resourcePartitionKey";

    /** Of all ids, only an item's may contain a slash. */
    private static final Pattern LINK = Pattern.compile(
            "/?dbs/[^/]+(/colls/[^/]+(/(docs/[^/].*|(sprocs|triggers|udfs)/[^/]+))?)?/?", Pattern.DOTALL);

    /** Spelled as the SDKs spell it, some of which compare without ignoring case. */
    public enum Mode implements Spelled {
        READ("read"),
        ALL("all");

        private final String spelling;

        Mode(String spelling) {
            this.spelling = spelling;
        }

        @Override
        public String spelling() {
            return spelling;
        }
    }

    public static PermissionDefinition parse(Obj body) {
        var json = MemberReader.of(body);
        json.ignore(List.of(TOKEN));
        var id = json.resourceId(List.of());
        var mode = json.choice("permissionMode", Mode.class)
                .orElseThrow(() -> json.refusal("permissionMode", "is required: read or all."));
        var link = json.requiredText("resource");
        if (!LINK.matcher(link).matches()) {
            throw json.refusal(
                    "resource",
                    "is '" + link
                            + "', but must be the link of a database, a container, or an item or script in one, as "
                            + "in dbs/d/colls/c/docs/i.");
        }
        return new PermissionDefinition(id, mode, link, partitionKey(json), json.others());
    }

    private static Optional<PartitionKey> partitionKey(MemberReader json) {
        if (!json.has(PARTITION_KEY)) {
            return Optional.empty();
        }
        if (!(json.value(PARTITION_KEY) instanceof Arr values) || values.items().isEmpty()) {
            throw json.refusal(PARTITION_KEY, "must be an array with one value for each path of the partition key.");
        }
        return Optional.of(PartitionKey.parse(JsonWriter.text(values)));
    }

    @Override
    public Obj toJson() {
        return Obj.builder()
                .put("id", id)
                .put("permissionMode", mode.spelling())
                .put("resource", resourceLink)
                .put(
                        PARTITION_KEY,
                        resourcePartitionKey
                                .map(key -> JsonReader.parse(key.header()))
                                .orElse(JsonValue.UNDEFINED))
                .putAll(others)
                .build();
    }

    /** The resource as clients see it, and with it a token that proves the permission. */
    public static Obj withToken(Obj permission, String token) {
        return Obj.builder().putAll(permission).put(TOKEN, token).build();
    }

    @Override
    public List<String> childSegments() {
        return List.of();
    }
}
