package dev.orrery.engine.index;

import java.util.Arrays;

/**
 * The documents that other indexes leave, by their numbers: those that are met in the order of one index and are not
 * among them need not be loaded.
 *
 * @param numbers ascending
 * @param entriesRead what it took to find them
 */
@SuppressWarnings("ArrayRecordComponent") // A carrier; nobody compares it.
public record Sieve(long[] numbers, long entriesRead) {

    /** Takes all documents there are. */
    static Sieve of(IndexSearch search, Documents documents) {
        try (documents) {
            var numbers = new long[Math.clamp(documents.estimate(), 16, 1 << 20)];
            int count = 0;
            while (documents.next()) {
                if (count == numbers.length) {
                    numbers = Arrays.copyOf(numbers, 2 * count);
                }
                numbers[count++] = documents.number();
            }
            return new Sieve(Arrays.copyOf(numbers, count), search.entriesRead() + documents.entriesRead());
        }
    }

    boolean leaves(long number) {
        return Arrays.binarySearch(numbers, number) >= 0;
    }

    /** How many documents it leaves. */
    public long size() {
        return numbers.length;
    }
}
