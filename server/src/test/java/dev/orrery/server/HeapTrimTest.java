package dev.orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A heap that has grown is given back once nothing happens any more, and nobody is disturbed before. */
class HeapTrimTest {
    private final FakeHeap heap = new FakeHeap();
    private final HeapTrim trim = new HeapTrim(heap);

    @Test
    void aBusyHeapIsLeftAlone() {
        for (int look = 0; look < 10; look++) {
            heap.collections += 5;
            trim.look();
        }

        assertThat(heap.trimmed).isZero();
    }

    @Test
    void aHeapThatHasBecomeQuietIsTrimmedOnce() {
        heap.collections = 100;
        for (int look = 0; look < 8; look++) {
            trim.look();
            heap.collections++; // As probes and upkeep cause them.
        }

        assertThat(heap.trimmed).isOne();
        heap.collections += 100;
        trim.look();
        trim.look();
        assertThat(heap.trimmed).isEqualTo(2);
    }

    @Test
    void aSmallHeapIsNotWorthAPause() {
        heap.committedBytes = 100 << 20;
        heap.collections = 100;
        trim.look();
        trim.look();

        assertThat(heap.trimmed).isZero();
    }

    private static final class FakeHeap implements HeapTrim.Heap {
        private long collections;
        private long committedBytes = 1L << 30;
        private int trimmed;

        @Override
        public long collections() {
            return collections;
        }

        @Override
        public long committedBytes() {
            return committedBytes;
        }

        @Override
        public void collect() {
            collections++;
            trimmed++;
        }
    }
}
