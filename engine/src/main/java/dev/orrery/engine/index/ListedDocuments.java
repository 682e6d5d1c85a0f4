package dev.orrery.engine.index;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Documents that have all been found already. */
final class ListedDocuments implements Documents {
    @SuppressWarnings("ArrayRecordComponent") // A carrier; nobody compares it.
    record Found(long number, byte[] value) {}

    private final List<Found> found;
    private final int locatorStart;
    private int at = -1;

    private ListedDocuments(List<Found> found, int locatorStart) {
        this.found = found;
        this.locatorStart = locatorStart;
    }

    /** Those that were found in the order of their numbers. */
    static ListedDocuments ordered(List<Found> found, int locatorStart) {
        return new ListedDocuments(found, locatorStart);
    }

    /** Those that were found in any order, some of them perhaps twice. */
    static ListedDocuments sorted(List<Found> found, int locatorStart) {
        var sorted = new ArrayList<>(found);
        sorted.sort(Comparator.comparingLong(Found::number));
        var distinct = new ArrayList<Found>(sorted.size());
        for (var one : sorted) {
            if (distinct.isEmpty() || distinct.getLast().number() != one.number()) {
                distinct.add(one);
            }
        }
        return new ListedDocuments(distinct, locatorStart);
    }

    /** Those that are among others too. */
    ListedDocuments within(ListedDocuments others) {
        if (others == this) {
            return this;
        }
        var common = new ArrayList<Found>();
        int theirs = 0;
        for (var one : found) {
            while (theirs < others.found.size() && others.found.get(theirs).number() < one.number()) {
                theirs++;
            }
            if (theirs < others.found.size() && others.found.get(theirs).number() == one.number()) {
                common.add(one);
            }
        }
        return new ListedDocuments(common, locatorStart);
    }

    @Override
    public long estimate() {
        return found.size();
    }

    @Override
    public boolean next() {
        return ++at < found.size();
    }

    @Override
    public boolean seek(long number) {
        at = Math.max(at, 0);
        if (at < found.size() && found.get(at).number() < number) {
            int low = at;
            int high = found.size();
            while (low < high) {
                int middle = (low + high) >>> 1;
                if (found.get(middle).number() < number) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            at = low;
        }
        return at < found.size();
    }

    @Override
    public long number() {
        return found.get(at).number();
    }

    @Override
    public byte[] value() {
        return found.get(at).value();
    }

    @Override
    public int locatorStart() {
        return locatorStart;
    }

    @Override
    public long entriesRead() {
        return 0;
    }

    @Override
    public void close() {}
}
