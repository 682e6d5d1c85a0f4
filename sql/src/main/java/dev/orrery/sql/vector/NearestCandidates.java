package dev.orrery.sql.vector;

import dev.orrery.sql.vector.VectorProbe.Bounds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.LongToDoubleFunction;

/**
 * The documents that may be among the first so many by a distance of which only bounds are known. Of documents with the
 * same distance those offered first come first.
 *
 * <p>A document is out as soon as enough others are certainly before it. Should so many have bounds that overlap that this
 * does not help, their exact distances are asked for, so that never more than a few times the wanted number is kept.
 */
public final class NearestCandidates {
    private static final int KEPT_MIN = 1_024;

    /** A document whose key, by which the least comes first, is between two numbers. */
    private record Candidate(long document, double low, double high) {
        Candidate {
            // -0 + 0 is 0, which is the same distance but not the same to a comparator.
            low += 0.0;
            high += 0.0;
        }
    }

    private final int wanted;
    private final boolean descending;
    private final LongToDoubleFunction exact;
    private final int keptMax;
    private final List<Candidate> kept = new ArrayList<>();

    /** The least upper bounds, as many as are wanted, the greatest of them first. */
    private final PriorityQueue<Double> highs = new PriorityQueue<>(Comparator.reverseOrder());

    /**
     * Nobody is a candidate yet.
     *
     * @param descending whether the greatest distance comes first, which is the nearest for cosines and dot products
     * @param exact the distance of a document, or no finite number when that is undefined
     */
    public NearestCandidates(int wanted, boolean descending, LongToDoubleFunction exact) {
        this.wanted = wanted;
        this.descending = descending;
        this.exact = exact;
        this.keptMax = Math.max(KEPT_MIN, 4 * wanted);
    }

    /** Whether a document with such a distance has no place any more, so that there is no need to offer it. */
    public boolean isOut(Bounds distance) {
        return candidate(0, distance).low() >= limit();
    }

    private Candidate candidate(long document, Bounds distance) {
        return descending
                ? new Candidate(document, -distance.high(), -distance.low())
                : new Candidate(document, distance.low(), distance.high());
    }

    public void offer(long document, Bounds distance) {
        add(candidate(document, distance));
        if (kept.size() > keptMax) {
            prune();
            if (kept.size() > keptMax / 2) {
                settle();
            }
        }
    }

    private void add(Candidate candidate) {
        if (candidate.low() >= limit()) {
            return; // enough others were offered before and are not behind
        }
        kept.add(candidate);
        highs.add(candidate.high());
        if (highs.size() > wanted) {
            highs.remove();
        }
    }

    /** A key that enough candidates are not behind. */
    private double limit() {
        if (wanted == 0) {
            return Double.NEGATIVE_INFINITY;
        }
        return highs.size() < wanted ? Double.POSITIVE_INFINITY : highs.element();
    }

    private void prune() {
        kept.removeIf(candidate -> candidate.low() > limit());
    }

    private void settle() {
        var settled = kept.stream()
                .map(this::settled)
                .filter(candidate -> Double.isFinite(candidate.low()))
                .toList();
        // The sort is stable, so that the order of offers decides between equals; afterwards that order is restored.
        var places = new ArrayList<Integer>();
        for (var place = 0; place < settled.size(); place++) {
            places.add(place);
        }
        places.sort(Comparator.comparingDouble(place -> settled.get(place).low()));
        kept.clear();
        highs.clear();
        places.stream().limit(wanted).sorted().map(settled::get).forEach(this::add);
    }

    private Candidate settled(Candidate candidate) {
        if (candidate.low() == candidate.high()) {
            return candidate;
        }
        var distance = exact.applyAsDouble(candidate.document());
        var key = descending ? -distance : distance;
        return new Candidate(candidate.document(), key, key);
    }

    /** The documents in the order in which they were offered. The wanted ones are all among them. */
    public List<Long> documents() {
        prune();
        return kept.stream().map(Candidate::document).toList();
    }
}
