package dev.orrery.engine.key;

import java.util.Optional;

/**
 * Up to where a view has followed a range of its source, {@code lsn:8 | epoch:8}.
 *
 * @param epoch the one in which the region that keeps the view has written it; in another one somebody else has kept it since,
 *     and this says nothing
 */
public record ViewProgress(long lsn, long epoch) {

    public byte[] encode() {
        return new KeyWriter(16).writeLong(lsn).writeLong(epoch).toBytes();
    }

    /** Nothing for null. */
    public static Optional<ViewProgress> ofStored(byte[] value) {
        if (value == null) {
            return Optional.empty();
        }
        var reader = new KeyReader(value, 0);
        long lsn = reader.readLong();
        // Before there were regions, there was no epoch in it.
        return Optional.of(new ViewProgress(lsn, reader.position() < value.length ? reader.readLong() : Epochs.NONE));
    }

    /** The LSN that is reached in an epoch: 0 when nobody has begun in it. */
    public static long reached(byte[] value, long epoch) {
        return ofStored(value)
                .filter(progress -> progress.epoch() == epoch)
                .map(ViewProgress::lsn)
                .orElse(0L);
    }
}
