package dev.orrery.store;

/** The number of a partition; what it stands for is the engine's business. */
public record PartitionId(long value) implements Comparable<PartitionId> {

    public PartitionId {
        // Numbers prefix keys on disk, where negative ones would sort last; there a store keeps rows of its own.
        if (value < 0) {
            throw new IllegalArgumentException("A partition number is never negative: " + value);
        }
    }

    @Override
    public int compareTo(PartitionId other) {
        return Long.compare(value, other.value);
    }
}
