package dev.orrery.engine.query;

import dev.orrery.engine.operation.Outcome.Access;
import java.util.ArrayList;
import java.util.List;

/** What has happened in a scan: which indexes found its items, and how many of their entries were read. */
final class ScanTrace {
    private boolean lookedUp;
    private boolean answered;
    private boolean foundNearest;
    private SortedScan ordered;
    private long entriesRead;

    /** Items were found by an index of values. */
    void lookUp() {
        lookedUp = true;
    }

    /** Items were found by how near they are. */
    void findNearest() {
        foundNearest = true;
    }

    /** Items come in the order of an index. */
    void order(SortedScan scan) {
        ordered = scan;
    }

    /** Nothing but entries of an index was looked at. */
    void answer() {
        answered = true;
    }

    void read(long entries) {
        entriesRead += entries;
    }

    long entriesRead() {
        return entriesRead + (ordered == null ? 0 : ordered.entriesRead());
    }

    /** How items were found, if no index had a part in it in the way given. */
    Access access(Access otherwise) {
        return answered || lookedUp || foundNearest || ordered != null ? Access.INDEX : otherwise;
    }

    List<String> used(IndexWords words) {
        var used = new ArrayList<String>();
        if (answered) {
            used.add(words.answer());
        }
        if (ordered != null) {
            used.add(words.order(ordered.index()));
        }
        if (lookedUp || (ordered != null && ordered.isSieved())) {
            used.add(words.lookup());
        }
        if (foundNearest) {
            used.add(words.nearest());
        }
        return used;
    }
}
