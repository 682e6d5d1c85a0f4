package dev.orrery.store.memory;

import dev.orrery.store.KeyRange;
import java.util.Arrays;

/**
 * An immutable B+ tree from bytes to bytes, in unsigned order: a change copies the path from the root and shares the
 * rest. Every leaf is at the same depth. Keys and values belong to the tree: nobody changes them any more.
 */
final class ByteTree {

    static final ByteTree EMPTY = new ByteTree(new Leaf(new byte[0][], new byte[0][]));

    /** Most entries of a node. A change copies one node on each level, a search halves within them. */
    private static final int WIDTH = 32;

    /** A node this small is joined to its neighbour when both fit into one. */
    private static final int SMALL = WIDTH / 4;

    private final Node root;

    private ByteTree(Node root) {
        this.root = root;
    }

    byte[] get(byte[] key) {
        var leaf = leaf(root, key);
        int at = find(leaf.keys, key);
        return at < 0 ? null : leaf.values[at];
    }

    ByteTree put(byte[] key, byte[] value) {
        var changed = put(root, key, value);
        return new ByteTree(size(changed) <= WIDTH ? changed : split(changed));
    }

    ByteTree remove(byte[] key) {
        var changed = remove(root, key);
        while (changed instanceof Branch branch && branch.children.length == 1) {
            changed = branch.children[0];
        }
        return changed == root ? this : new ByteTree(changed);
    }

    ByteTree removeRange(KeyRange range) {
        var tree = this;
        for (var row = tree.atOrAfter(range.from());
                row != null && Arrays.compareUnsigned(row.key(), range.to()) < 0;
                row = tree.atOrAfter(range.from())) {
            tree = tree.remove(row.key());
        }
        return tree;
    }

    /** The first row with this key or a higher one; null when there is none. */
    Row atOrAfter(byte[] key) {
        Node node = root;
        Node right = null; // The nearest subtree that holds only higher keys.
        while (node instanceof Branch branch) {
            int child = branch.childFor(key);
            if (child + 1 < branch.children.length) {
                right = branch.children[child + 1];
            }
            node = branch.children[child];
        }
        var leaf = (Leaf) node;
        int at = find(leaf.keys, key);
        at = at < 0 ? -at - 1 : at;
        if (at < leaf.keys.length) {
            return new Row(leaf, at);
        }
        return right == null ? null : new Row(firstLeaf(right), 0);
    }

    /** What the rows of a range take in memory. */
    long bytes(KeyRange range) {
        return bytes(root, range);
    }

    /** The last row with a lower key, or with this key if it may count; null when there is none. */
    Row before(byte[] key, boolean inclusive) {
        Node node = root;
        Node left = null; // The nearest subtree that holds only lower keys.
        while (node instanceof Branch branch) {
            int child = branch.childFor(key);
            if (child > 0) {
                left = branch.children[child - 1];
            }
            node = branch.children[child];
        }
        var leaf = (Leaf) node;
        int found = find(leaf.keys, key);
        int at = found < 0 ? -found - 2 : inclusive ? found : found - 1;
        if (at >= 0) {
            return new Row(leaf, at);
        }
        if (left == null) {
            return null;
        }
        var last = lastLeaf(left);
        return new Row(last, last.keys.length - 1);
    }

    /** A row by its place, from which its neighbours are one step away. */
    record Row(Leaf leaf, int at) {

        byte[] key() {
            return leaf.keys[at];
        }

        byte[] value() {
            return leaf.values[at];
        }

        /** The next row if it is in the same leaf, else null. */
        Row nextInLeaf() {
            return at + 1 < leaf.keys.length ? new Row(leaf, at + 1) : null;
        }

        /** The row before if it is in the same leaf, else null. */
        Row previousInLeaf() {
            return at > 0 ? new Row(leaf, at - 1) : null;
        }
    }

    private sealed interface Node {
        /** What all rows below it take in memory. */
        long bytes();
    }

    /** Keys in order, each with its value. Only the root may be empty. */
    private static final class Leaf implements Node {
        final byte[][] keys;
        final byte[][] values;

        Leaf(byte[][] keys, byte[][] values) {
            this.keys = keys;
            this.values = values;
        }

        @Override
        public long bytes() {
            long bytes = 0;
            for (int i = 0; i < keys.length; i++) {
                bytes += MemoryRoom.bytes(keys[i], values[i]);
            }
            return bytes;
        }
    }

    /**
     * Children in order. No key of a child is below its lower bound, and all keys of the children before are; only the
     * first bound is not kept to, so that any key finds a child.
     */
    private static final class Branch implements Node {
        final byte[][] lowerBounds;
        final Node[] children;

        // Counted when it is first asked for; a change makes new nodes on one path only, so the next count is quick.
        private volatile long bytes = -1;

        Branch(byte[][] lowerBounds, Node[] children) {
            this.lowerBounds = lowerBounds;
            this.children = children;
        }

        @Override
        public long bytes() {
            if (bytes < 0) {
                bytes = Arrays.stream(children).mapToLong(Node::bytes).sum();
            }
            return bytes;
        }

        int childFor(byte[] key) {
            int low = 1;
            int high = children.length;
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (Arrays.compareUnsigned(lowerBounds[middle], key) <= 0) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            return low - 1;
        }

        Branch with(int at, Node child) {
            return new Branch(lowerBounds, replaced(children, at, child));
        }

        Branch without(int at) {
            return new Branch(removed(lowerBounds, at), removed(children, at));
        }
    }

    private static int size(Node node) {
        return switch (node) {
            case Leaf leaf -> leaf.keys.length;
            case Branch branch -> branch.children.length;
        };
    }

    private static long bytes(Node node, KeyRange range) {
        return switch (node) {
            case Leaf leaf -> {
                long bytes = 0;
                for (int i = 0; i < leaf.keys.length; i++) {
                    bytes += range.contains(leaf.keys[i]) ? MemoryRoom.bytes(leaf.keys[i], leaf.values[i]) : 0;
                }
                yield bytes;
            }
            case Branch branch -> {
                int first = branch.childFor(range.from());
                int last = branch.childFor(range.to());
                long bytes = bytes(branch.children[first], range);
                for (int i = first + 1; i < last; i++) {
                    bytes += branch.children[i].bytes();
                }
                yield last > first ? bytes + bytes(branch.children[last], range) : bytes;
            }
        };
    }

    private static Leaf leaf(Node node, byte[] key) {
        return switch (node) {
            case Leaf leaf -> leaf;
            case Branch branch -> leaf(branch.children[branch.childFor(key)], key);
        };
    }

    private static Leaf firstLeaf(Node node) {
        return switch (node) {
            case Leaf leaf -> leaf;
            case Branch branch -> firstLeaf(branch.children[0]);
        };
    }

    private static Leaf lastLeaf(Node node) {
        return switch (node) {
            case Leaf leaf -> leaf;
            case Branch branch -> lastLeaf(branch.children[branch.children.length - 1]);
        };
    }

    /** The node may come back one entry too wide; whoever holds it splits it. */
    private static Node put(Node node, byte[] key, byte[] value) {
        return switch (node) {
            case Leaf leaf -> {
                int at = find(leaf.keys, key);
                yield at >= 0
                        ? new Leaf(leaf.keys, replaced(leaf.values, at, value))
                        : new Leaf(inserted(leaf.keys, -at - 1, key), inserted(leaf.values, -at - 1, value));
            }
            case Branch branch -> {
                int at = branch.childFor(key);
                var child = put(branch.children[at], key, value);
                if (size(child) <= WIDTH) {
                    yield branch.with(at, child);
                }
                var halves = split(child);
                yield new Branch(
                        inserted(branch.lowerBounds, at + 1, halves.lowerBounds[1]),
                        inserted(replaced(branch.children, at, halves.children[0]), at + 1, halves.children[1]));
            }
        };
    }

    private static Branch split(Node node) {
        return switch (node) {
            case Leaf leaf -> {
                var keys = leaf.keys;
                int middle = keys.length / 2;
                var left = new Leaf(head(keys, middle), head(leaf.values, middle));
                var right = new Leaf(tail(keys, middle), tail(leaf.values, middle));
                yield new Branch(new byte[][] {keys[0], keys[middle]}, new Node[] {left, right});
            }
            case Branch branch -> {
                var bounds = branch.lowerBounds;
                int middle = bounds.length / 2;
                var left = new Branch(head(bounds, middle), head(branch.children, middle));
                var right = new Branch(tail(bounds, middle), tail(branch.children, middle));
                yield new Branch(new byte[][] {bounds[0], bounds[middle]}, new Node[] {left, right});
            }
        };
    }

    /** The same node when the key is not there. The node may come back empty; whoever holds it drops it. */
    private static Node remove(Node node, byte[] key) {
        return switch (node) {
            case Leaf leaf -> {
                int at = find(leaf.keys, key);
                yield at < 0 ? leaf : new Leaf(removed(leaf.keys, at), removed(leaf.values, at));
            }
            case Branch branch -> {
                int at = branch.childFor(key);
                var before = branch.children[at];
                var child = remove(before, key);
                if (child == before) {
                    yield branch;
                }
                yield size(child) == 0 ? branch.without(at) : joined(branch.with(at, child), at);
            }
        };
    }

    /** Joins a child that has become small to a neighbour, if that has room. */
    private static Branch joined(Branch branch, int at) {
        if (size(branch.children[at]) > SMALL || branch.children.length == 1) {
            return branch;
        }
        int left = Math.max(at - 1, 0);
        int right = left + 1;
        if (size(branch.children[left]) + size(branch.children[right]) > WIDTH) {
            return branch;
        }
        var together = join(branch.children[left], branch.lowerBounds[right], branch.children[right]);
        return branch.without(right).with(left, together);
    }

    private static Node join(Node left, byte[] lowerBound, Node right) {
        return switch (left) {
            case Leaf leaf -> {
                var other = (Leaf) right;
                yield new Leaf(concatenated(leaf.keys, other.keys), concatenated(leaf.values, other.values));
            }
            case Branch branch -> {
                var other = (Branch) right;
                // The first bound of the right one was not kept to so far; the one its parent knew was.
                var otherBounds = replaced(other.lowerBounds, 0, lowerBound);
                yield new Branch(
                        concatenated(branch.lowerBounds, otherBounds), concatenated(branch.children, other.children));
            }
        };
    }

    /** As {@link Arrays#binarySearch}. */
    private static int find(byte[][] keys, byte[] key) {
        int low = 0;
        int high = keys.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = Arrays.compareUnsigned(keys[middle], key);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    private static <T> T[] replaced(T[] array, int at, T element) {
        T[] copy = array.clone();
        copy[at] = element;
        return copy;
    }

    private static <T> T[] inserted(T[] array, int at, T element) {
        T[] copy = Arrays.copyOf(array, array.length + 1);
        System.arraycopy(array, at, copy, at + 1, array.length - at);
        copy[at] = element;
        return copy;
    }

    private static <T> T[] removed(T[] array, int at) {
        T[] copy = Arrays.copyOf(array, array.length - 1);
        System.arraycopy(array, at + 1, copy, at, copy.length - at);
        return copy;
    }

    private static <T> T[] concatenated(T[] left, T[] right) {
        T[] both = Arrays.copyOf(left, left.length + right.length);
        System.arraycopy(right, 0, both, left.length, right.length);
        return both;
    }

    private static <T> T[] head(T[] array, int end) {
        return Arrays.copyOf(array, end);
    }

    private static <T> T[] tail(T[] array, int start) {
        return Arrays.copyOfRange(array, start, array.length);
    }
}
