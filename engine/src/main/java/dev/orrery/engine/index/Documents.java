package dev.orrery.engine.index;

import java.util.List;

/** Documents that an index has found, by ascending number; before the first one to begin with. For one thread. */
public interface Documents extends AutoCloseable {

    /** Goes to the next one; false when there is none. */
    boolean next();

    /** Goes to the first one whose number is not below another, never backwards; false when there is none. */
    boolean seek(long number);

    long number();

    /** The value of its entry. */
    byte[] value();

    /** Where the locator begins in {@link #value}. */
    int locatorStart();

    /** About how many there are. */
    long estimate();

    /** How many entries it has read itself; those that it was made from not included. */
    long entriesRead();

    /** Gives back what it holds. */
    @Override
    void close();

    /** Those that are among all of several. */
    static Documents all(List<Documents> parts) {
        return parts.size() == 1 ? parts.getFirst() : new Intersection(parts);
    }

    /** Those that are among any of several. */
    static Documents any(List<Documents> parts) {
        return parts.size() == 1 ? parts.getFirst() : new Union(parts);
    }

    /** Leaps from one part to the other until all agree. */
    final class Intersection implements Documents {
        private final List<Documents> parts;

        Intersection(List<Documents> parts) {
            this.parts = List.copyOf(parts);
        }

        @Override
        public boolean next() {
            return parts.getFirst().next() && agree();
        }

        @Override
        public boolean seek(long number) {
            return parts.getFirst().seek(number) && agree();
        }

        private boolean agree() {
            long agreed = parts.getFirst().number();
            int agreeing = 1;
            for (int i = 1; agreeing < parts.size(); i = (i + 1) % parts.size()) {
                var part = parts.get(i);
                if (!part.seek(agreed)) {
                    return false;
                }
                agreeing = part.number() == agreed ? agreeing + 1 : 1;
                agreed = part.number();
            }
            return true;
        }

        @Override
        public long number() {
            return parts.getFirst().number();
        }

        @Override
        public byte[] value() {
            return parts.getFirst().value();
        }

        @Override
        public int locatorStart() {
            return parts.getFirst().locatorStart();
        }

        @Override
        public long estimate() {
            return parts.stream().mapToLong(Documents::estimate).min().orElseThrow();
        }

        @Override
        public long entriesRead() {
            return parts.stream().mapToLong(Documents::entriesRead).sum();
        }

        @Override
        public void close() {
            parts.forEach(Documents::close);
        }
    }

    /** Always at the least of the numbers that its parts are at. */
    final class Union implements Documents {
        private final List<Documents> parts;
        private final boolean[] ended;
        private Documents current;
        private boolean begun;

        Union(List<Documents> parts) {
            this.parts = List.copyOf(parts);
            this.ended = new boolean[parts.size()];
        }

        @Override
        public boolean next() {
            return seek(begun ? current.number() + 1 : 0);
        }

        @Override
        public boolean seek(long number) {
            current = null;
            for (int i = 0; i < ended.length; i++) {
                var part = parts.get(i);
                if (!ended[i] && (!begun || part.number() < number)) {
                    ended[i] = !part.seek(number);
                }
                if (!ended[i] && (current == null || part.number() < current.number())) {
                    current = part;
                }
            }
            begun = true;
            return current != null;
        }

        @Override
        public long number() {
            return current.number();
        }

        @Override
        public byte[] value() {
            return current.value();
        }

        @Override
        public int locatorStart() {
            return current.locatorStart();
        }

        @Override
        public long estimate() {
            return parts.stream().mapToLong(Documents::estimate).sum();
        }

        @Override
        public long entriesRead() {
            return parts.stream().mapToLong(Documents::entriesRead).sum();
        }

        @Override
        public void close() {
            parts.forEach(Documents::close);
        }
    }
}
