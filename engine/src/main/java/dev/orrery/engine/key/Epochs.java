package dev.orrery.engine.key;

import java.util.ArrayList;
import java.util.List;

/**
 * Which epochs of its account a range has lived in, {@code tag -> format:1 | (epoch:8 | lsn:8)*}, ascending. An
 * epoch begins when another region takes over the writes; what a copy has of an epoch beyond the beginning of the next one
 * nobody else has. The LSNs of an epoch begin far behind those of the one before, so that no number stands for two changes.
 */
public record Epochs(List<Beginning> all) {
    private static final int FORMAT = 1;

    /** The number of a range that never was in an account of several regions. */
    public static final long NONE = -1;

    public static final Epochs EMPTY = new Epochs(List.of());

    /** How many LSNs are left out between epochs: more than a region can use that does not know yet that it was left. */
    private static final long GAP = 1_000_000_000;

    /**
     * When an epoch began.
     *
     * @param afterLsn the last change that was there already, and is there to stay
     */
    public record Beginning(long epoch, long afterLsn) {
        /** No change in it has this LSN or a lower one. */
        public long restLsn() {
            return afterLsn + GAP;
        }
    }

    public Epochs {
        all = List.copyOf(all);
    }

    public static byte[] key() {
        return KeySpace.EPOCHS.start();
    }

    /** The present one. */
    public long last() {
        return all.isEmpty() ? NONE : all.getLast().epoch();
    }

    public Epochs with(long epoch, long afterLsn) {
        var more = new ArrayList<>(all);
        more.add(new Beginning(epoch, afterLsn));
        return new Epochs(more);
    }

    /** The last LSN that both have who agree about an epoch; unlimited for the present one. */
    public long lastLsnOf(long epoch) {
        for (var beginning : all) {
            if (beginning.epoch() > epoch) {
                return beginning.afterLsn();
            }
        }
        return Long.MAX_VALUE;
    }

    /** How many changes there may be behind an LSN up to another: the numbers that were left out are none. */
    public long changes(long afterLsn, long toLsn) {
        long left = Math.max(0, toLsn - afterLsn);
        for (var beginning : all) {
            left -= Math.max(0, Math.min(toLsn, beginning.restLsn()) - Math.max(afterLsn, beginning.afterLsn()));
        }
        return left;
    }

    public byte[] encode() {
        var writer = new KeyWriter(1 + 16 * all.size()).writeByte(FORMAT);
        all.forEach(beginning -> writer.writeLong(beginning.epoch()).writeLong(beginning.afterLsn()));
        return writer.toBytes();
    }

    /** The epochs of a range that may have stored none yet: null. */
    public static Epochs ofStored(byte[] value) {
        if (value == null) {
            return EMPTY;
        }
        var reader = new KeyReader(value, 0);
        Formats.demand("epochs of a range", FORMAT, reader.readByte());
        var all = new ArrayList<Beginning>();
        for (int left = (value.length - 1) / 16; left > 0; left--) {
            all.add(new Beginning(reader.readLong(), reader.readLong()));
        }
        return new Epochs(all);
    }
}
