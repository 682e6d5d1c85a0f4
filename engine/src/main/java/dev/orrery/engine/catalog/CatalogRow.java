package dev.orrery.engine.catalog;

import dev.orrery.engine.key.ResourceKey;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.util.List;
import java.util.Optional;

/**
 * A resource on disk: {@code {"format":1, "kind":.., "parent":.., "resource":{..}}} and, for containers, {@code "ranges"}
 * {@code "expiryStale"} and {@code "superseded"}. JSON because these rows are few and people may have to look at them.
 */
record CatalogRow(
        Resource resource, Optional<Ranges> ranges, boolean expiryStale, List<ContainerDefinition> superseded) {
    private static final int FORMAT = 1;

    static CatalogRow of(Resource resource) {
        return new CatalogRow(resource, Optional.empty(), false, List.of());
    }

    static CatalogRow of(Container container) {
        return new CatalogRow(
                container.resource(), Optional.of(container.ranges()), container.expiryStale(), container.superseded());
    }

    /** What is true of all copies. */
    CatalogRow shared() {
        return new CatalogRow(resource, ranges, false, List.of());
    }

    byte[] key() {
        return ResourceKey.encode(resource.rid());
    }

    byte[] encode() {
        var row = Obj.builder()
                .put("format", FORMAT)
                .put("kind", resource.kind().segment())
                .put("resource", resource.json());
        resource.parent().ifPresent(parent -> row.put("parent", parent.toString()));
        ranges.ifPresent(some -> row.put("ranges", some.toJson()));
        if (expiryStale) {
            row.put("expiryStale", true);
        }
        if (!superseded.isEmpty()) {
            row.put(
                    "superseded",
                    new Arr(superseded.stream()
                            .<JsonValue>map(ContainerDefinition::toJson)
                            .toList()));
        }
        return JsonWriter.bytes(row.build());
    }

    static CatalogRow decode(byte[] key, byte[] value) {
        var row = (Obj) JsonReader.parse(value);
        if (!row.member("format").equals(new Num(FORMAT))) {
            throw new IllegalStateException(
                    "The catalog has a row in format " + row.member("format") + ", this Orrery reads format " + FORMAT);
        }
        var kind = ResourceKind.find(((Str) row.member("kind")).value()).orElseThrow();
        Optional<Rid> parent =
                row.member("parent") instanceof Str(var text) ? Optional.of(Rid.parse(text)) : Optional.empty();
        var resource = new Resource(kind, ResourceKey.decode(key), parent, (Obj) row.member("resource"));
        JsonValue ranges = row.member("ranges");
        return new CatalogRow(
                resource,
                ranges instanceof Obj some ? Optional.of(Ranges.parse(some)) : Optional.empty(),
                row.member("expiryStale").equals(Bool.TRUE),
                row.member("superseded") instanceof Arr(var former)
                        ? former.stream()
                                .map(definition -> ContainerDefinition.parse((Obj) definition))
                                .toList()
                        : List.of());
    }
}
