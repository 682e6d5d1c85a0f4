package dev.orrery.engine.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Where a resource lies: kind and id from the database down, as the client wrote it. The ids may be names or rids; the
 * catalog finds out which.
 */
public record Address(List<Segment> segments) {
    public static final Address ACCOUNT = new Address(List.of());

    public record Segment(ResourceKind kind, String id) {}

    public Address {
        segments = List.copyOf(segments);
    }

    public Address child(ResourceKind kind, String id) {
        var longer = new ArrayList<>(segments);
        longer.add(new Segment(kind, id));
        return new Address(longer);
    }

    public Address parent() {
        return new Address(segments.subList(0, segments.size() - 1));
    }

    public Segment last() {
        return segments.getLast();
    }

    /** The id given for a kind, if the address goes that deep. */
    public Optional<String> id(ResourceKind kind) {
        return segments.stream()
                .filter(segment -> segment.kind() == kind)
                .map(Segment::id)
                .findFirst();
    }

    public boolean isAccount() {
        return segments.isEmpty();
    }

    /** {@code dbs/d/colls/c}, as links in the protocol are written. */
    @Override
    public String toString() {
        return segments.stream()
                .map(segment -> segment.kind().segment() + "/" + segment.id())
                .collect(Collectors.joining("/"));
    }
}
