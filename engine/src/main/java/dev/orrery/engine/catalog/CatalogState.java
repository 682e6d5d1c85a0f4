package dev.orrery.engine.catalog;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Rid;
import dev.orrery.model.json.JsonSize;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Everything that exists at one moment; never changed, only replaced by a later one. */
final class CatalogState {
    private record Place(Optional<Rid> parent, ResourceKind kind) {}

    /** What a resource takes besides its text: its places in maps, and what the engine keeps of a container. */
    private static final int RESOURCE_BYTES = 512;

    private static final int CONTAINER_BYTES = 8 * 1024;

    private final Map<Rid, Resource> resources;
    private final Map<Rid, Container> containers;
    private final Map<Place, Map<String, Resource>> children;
    private final int lastNumber;
    private final long bytes;

    private CatalogState(
            Map<Rid, Resource> resources,
            Map<Rid, Container> containers,
            Map<Place, Map<String, Resource>> children,
            int lastNumber,
            long bytes) {
        this.bytes = bytes;
        this.resources = resources;
        this.containers = containers;
        this.children = children;
        this.lastNumber = lastNumber;
    }

    /** Everything at once: adding one by one would copy as often. */
    static CatalogState of(List<Resource> resources, List<Container> containers, int lastNumber) {
        var byRid = new HashMap<Rid, Resource>();
        var children = new HashMap<Place, Map<String, Resource>>();
        for (var resource : resources) {
            byRid.put(resource.rid(), resource);
            children.computeIfAbsent(new Place(resource.parent(), resource.kind()), place -> new LinkedHashMap<>())
                    .put(resource.id(), resource);
        }
        var containersByRid = new HashMap<Rid, Container>();
        containers.forEach(container -> containersByRid.put(container.rid(), container));
        long bytes = resources.stream().mapToLong(CatalogState::bytes).sum();
        return new CatalogState(byRid, containersByRid, children, lastNumber, bytes);
    }

    /** The last number drawn for a rid. */
    int lastNumber() {
        return lastNumber;
    }

    CatalogState withLastNumber(int number) {
        return new CatalogState(resources, containers, children, number, bytes);
    }

    /** About how much memory all of it takes. */
    long bytes() {
        return bytes;
    }

    private static long bytes(Resource resource) {
        return resource == null
                ? 0
                : JsonSize.of(resource.json())
                        + (resource.kind() == ResourceKind.CONTAINER ? CONTAINER_BYTES : RESOURCE_BYTES);
    }

    Optional<Resource> find(Rid rid) {
        return Optional.ofNullable(resources.get(rid));
    }

    Optional<Container> findContainer(Rid rid) {
        return Optional.ofNullable(containers.get(rid));
    }

    Collection<Resource> all() {
        return resources.values();
    }

    Collection<Container> containers() {
        return containers.values();
    }

    /** In the order of creation. */
    List<Resource> list(Optional<Rid> parent, ResourceKind kind) {
        return List.copyOf(
                children.getOrDefault(new Place(parent, kind), Map.of()).values());
    }

    Optional<Resource> find(Optional<Rid> parent, ResourceKind kind, String name) {
        return Optional.ofNullable(
                children.getOrDefault(new Place(parent, kind), Map.of()).get(name));
    }

    /** Each id may be a name or a rid; a name wins, since users choose names and nobody chooses rids. */
    Optional<Resource> find(Address address) {
        Optional<Resource> found = Optional.empty();
        for (var segment : address.segments()) {
            var parent = found.map(Resource::rid);
            found = find(parent, segment);
            if (found.isEmpty()) {
                return found;
            }
        }
        return found;
    }

    private Optional<Resource> find(Optional<Rid> parent, Address.Segment segment) {
        return find(parent, segment.kind(), segment.id())
                .or(() -> Rid.find(segment.id())
                        .flatMap(this::find)
                        .filter(resource -> resource.kind() == segment.kind()
                                && resource.parent().equals(parent)));
    }

    Location locate(Address address) {
        var segments = address.segments();
        var database = segments.isEmpty() ? Optional.<Resource>empty() : find(Optional.empty(), segments.getFirst());
        if (database.isEmpty() || database.get().kind() != ResourceKind.DATABASE) {
            return Location.ACCOUNT;
        }
        var container = segments.size() > 1 && segments.get(1).kind() == ResourceKind.CONTAINER
                ? find(database.map(Resource::rid), segments.get(1))
                : Optional.<Resource>empty();
        return new Location(database.get().id(), container.map(Resource::id).orElse(""));
    }

    boolean has(Location location) {
        if (location.equals(Location.ACCOUNT)) {
            return true;
        }
        var database = find(Optional.empty(), ResourceKind.DATABASE, location.database());
        return database.isPresent()
                && (location.container().isEmpty()
                        || find(database.map(Resource::rid), ResourceKind.CONTAINER, location.container())
                                .isPresent());
    }

    /** A resource and all that hangs below it, itself last. */
    List<Resource> subtree(Resource root) {
        var all = new ArrayList<Resource>();
        for (var kind : ResourceKind.values()) {
            list(Optional.of(root.rid()), kind).forEach(child -> all.addAll(subtree(child)));
        }
        all.add(root);
        return all;
    }

    CatalogState with(Resource resource) {
        var place = new Place(resource.parent(), resource.kind());
        var siblings = new LinkedHashMap<>(children.getOrDefault(place, Map.of()));
        siblings.put(resource.id(), resource);
        return new CatalogState(
                changed(resources, resource.rid(), resource),
                containers,
                changed(children, place, siblings),
                lastNumber,
                bytes + bytes(resource) - bytes(resources.get(resource.rid())));
    }

    CatalogState with(Container container) {
        var next = with(container.resource());
        return new CatalogState(
                next.resources, changed(containers, container.rid(), container), next.children, lastNumber, next.bytes);
    }

    CatalogState without(Resource resource) {
        var place = new Place(resource.parent(), resource.kind());
        var siblings = new LinkedHashMap<>(children.get(place));
        siblings.remove(resource.id());
        return new CatalogState(
                changed(resources, resource.rid(), null),
                changed(containers, resource.rid(), null),
                changed(children, place, siblings.isEmpty() ? null : siblings),
                lastNumber,
                bytes - bytes(resources.get(resource.rid())));
    }

    private static <K, V> Map<K, V> changed(Map<K, V> map, K key, V value) {
        var copy = new HashMap<>(map);
        if (value == null) {
            copy.remove(key);
        } else {
            copy.put(key, value);
        }
        return copy;
    }
}
