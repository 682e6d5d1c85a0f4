package dev.orrery.store.memory;

import dev.orrery.store.Cursor;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import java.util.Arrays;

/** Steps through a leaf, and finds the next leaf from the root by key: an immutable tree has no links sideways. */
final class MemoryCursor implements Cursor {

    private final ByteTree rows;
    private final KeyRange range;
    private final Direction direction;

    private ByteTree.Row current;
    private byte[] sought;

    MemoryCursor(ByteTree rows, KeyRange range, Direction direction) {
        this.rows = rows;
        this.range = range;
        this.direction = direction;
        this.sought = start();
    }

    @Override
    public boolean next() {
        ByteTree.Row row;
        if (sought != null) {
            row = at(sought);
            sought = null;
        } else if (current != null) {
            row = after(current);
        } else {
            return false;
        }
        current = row != null && range.contains(row.key()) ? row : null;
        return current != null;
    }

    private byte[] start() {
        return direction == Direction.FORWARD ? range.from() : range.to();
    }

    private ByteTree.Row at(byte[] key) {
        return switch (direction) {
            case FORWARD -> rows.atOrAfter(Arrays.compareUnsigned(key, range.from()) < 0 ? range.from() : key);
            case BACKWARD ->
                Arrays.compareUnsigned(key, range.to()) < 0 ? rows.before(key, true) : rows.before(range.to(), false);
        };
    }

    private ByteTree.Row after(ByteTree.Row row) {
        var near = switch (direction) {
            case FORWARD -> row.nextInLeaf();
            case BACKWARD -> row.previousInLeaf();
        };
        if (near != null) {
            return near;
        }
        return switch (direction) {
            case FORWARD ->
                rows.atOrAfter(Arrays.copyOf(row.key(), row.key().length + 1)); // The next key there can be.
            case BACKWARD -> rows.before(row.key(), false);
        };
    }

    @Override
    public byte[] key() {
        return current().key().clone();
    }

    @Override
    public byte[] value() {
        return current().value().clone();
    }

    @Override
    public int key(byte[] buffer) {
        return copy(current().key(), buffer);
    }

    @Override
    public int value(byte[] buffer) {
        return copy(current().value(), buffer);
    }

    private static int copy(byte[] bytes, byte[] buffer) {
        System.arraycopy(bytes, 0, buffer, 0, Math.min(bytes.length, buffer.length));
        return bytes.length;
    }

    private ByteTree.Row current() {
        if (current == null) {
            throw new IllegalStateException("The cursor is not on a row");
        }
        return current;
    }

    @Override
    public void seek(byte[] key) {
        sought = key.clone();
    }

    @Override
    public void close() {
        current = null;
        sought = null;
    }
}
