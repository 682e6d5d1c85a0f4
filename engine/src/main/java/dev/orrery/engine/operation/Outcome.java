package dev.orrery.engine.operation;

import dev.orrery.engine.charge.Bill;
import dev.orrery.model.Failure;
import dev.orrery.model.Limits;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** What an operation gave: the answer, its price, and the facts that every reply carries whatever the answer was. */
public record Outcome(Answer answer, Bill bill, Facts facts) {

    /** Of what the database had no part in. */
    public static final Outcome NOTHING = new Outcome(new Answer.Progress(), Bill.NOTHING, Facts.NONE);

    /**
     * Of what is not there, the owner is not told: a client would take the session token for that of another container of
     * the same name.
     */
    public static Outcome refused(Failure failure, Bill bill, Facts facts) {
        return new Outcome(
                new Answer.Refused(failure), bill, failure instanceof Failure.NotFound ? facts.withoutOwner() : facts);
    }

    public double charge() {
        return bill.requestUnits();
    }

    public sealed interface Answer {
        /** A resource that was read or written. */
        record Resource(Change change, ByteBuffer json) implements Answer {}

        /** The account itself; where its regions are found depends on how the caller has come. */
        record Account() implements Answer {}

        record Deleted() implements Answer {}

        /** The client's copy is still the current one. */
        record NotModified() implements Answer {}

        record Feed(ResourceKind kind, String ownerRid, List<ByteBuffer> rows) implements Answer {
            public Feed {
                rows = List.copyOf(rows);
            }
        }

        record Batch(List<BatchResult> results) implements Answer {
            public Batch {
                results = List.copyOf(results);
            }
        }

        /** A document about the request rather than a resource: a query plan. */
        @SuppressWarnings("ArrayRecordComponent") // Carried, never compared.
        record Plan(byte[] json) implements Answer {}

        /** What a stored procedure handed back: JSON, and what it said to its console if that was asked for. */
        @SuppressWarnings("ArrayRecordComponent") // Carried, never compared.
        record Executed(byte[] json, Optional<String> log) implements Answer {}

        /** Nothing but the facts. */
        record Progress() implements Answer {}

        record Refused(Failure failure) implements Answer {}
    }

    public enum Change {
        READ,
        CREATED,
        REPLACED
    }

    /** What became of one entry of a batch. */
    public record BatchResult(Answer answer, Bill bill, Optional<String> etag) {
        public double charge() {
            return bill.requestUnits();
        }
    }

    /**
     * Facts about a reply; whatever does not apply is absent.
     *
     * @param etag of what the reply is about
     * @param seen which ranges the reply is from, and up to where
     * @param part of a list that goes on
     * @param terms of the throughput that it is about
     * @param extent of the container that it is about
     */
    public record Facts(
            Optional<String> etag,
            Optional<Owner> owner,
            Optional<Seen> seen,
            Optional<Part> part,
            Optional<Offer> terms,
            Optional<Extent> extent) {
        public static final Facts NONE = ofResource(Optional.empty(), Optional.empty());

        /** Of a reply that one range of a container gave. */
        public static Facts ofRange(
                Owner owner,
                String rangeId,
                String sessionToken,
                long lsn,
                Optional<String> etag,
                Optional<Long> itemLsn) {
            return of(
                    etag, Optional.of(owner), new Seen(lsn, Optional.of(sessionToken), Optional.of(rangeId), itemLsn));
        }

        /** Of a reply put together from several ranges. */
        public static Facts ofRanges(Owner owner, String sessionTokens, long lsn) {
            var tokens = Optional.of(sessionTokens).filter(some -> !some.isEmpty());
            return of(Optional.empty(), Optional.of(owner), new Seen(lsn, tokens, Optional.empty(), Optional.empty()));
        }

        /** Of the account and what describes in it, which have come so far. */
        public static Facts ofAccount(long lsn) {
            return of(
                    Optional.empty(),
                    Optional.empty(),
                    new Seen(lsn, Optional.empty(), Optional.empty(), Optional.empty()));
        }

        /** Of a reply about a resource that describes. */
        public static Facts ofResource(Optional<String> etag, Optional<Owner> owner) {
            return new Facts(etag, owner, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        }

        private static Facts of(Optional<String> etag, Optional<Owner> owner, Seen seen) {
            return new Facts(etag, owner, Optional.of(seen), Optional.empty(), Optional.empty(), Optional.empty());
        }

        Facts withoutOwner() {
            return new Facts(etag, Optional.empty(), seen, part, terms, extent);
        }

        public Facts withEtag(String tag) {
            return new Facts(Optional.of(tag), owner, seen, part, terms, extent);
        }

        public Facts withPage(Optional<String> continuation, Optional<QueryMetrics> metrics) {
            return new Facts(etag, owner, seen, Optional.of(new Part(continuation, metrics)), terms, extent);
        }

        public Facts withOffer(Offer offer) {
            return new Facts(etag, owner, seen, part, Optional.of(offer), extent);
        }

        public Facts withExtent(Extent counted) {
            return new Facts(etag, owner, seen, part, terms, Optional.of(counted));
        }

        public Optional<String> sessionToken() {
            return seen.flatMap(Seen::sessionToken);
        }

        public Optional<String> rangeId() {
            return seen.flatMap(Seen::rangeId);
        }

        public Optional<Long> lsn() {
            return seen.map(Seen::lsn);
        }

        public Optional<Long> itemLsn() {
            return seen.flatMap(Seen::itemLsn);
        }

        public Optional<String> continuation() {
            return part.flatMap(Part::continuation);
        }

        public Optional<QueryMetrics> queryMetrics() {
            return part.flatMap(Part::metrics);
        }

        public Optional<Usage> usage() {
            return extent.flatMap(Extent::usage);
        }

        public Optional<Integer> indexProgressPercent() {
            return extent.flatMap(Extent::indexProgressPercent);
        }
    }

    /**
     * What was seen of the ranges that a reply is from.
     *
     * @param lsn up to which it has seen them; the highest, where they are several
     * @param sessionToken that says the same of each
     * @param rangeId where it is from one
     * @param itemLsn of the item, where it is about one
     */
    public record Seen(long lsn, Optional<String> sessionToken, Optional<String> rangeId, Optional<Long> itemLsn) {}

    /** One page of a list: by what the next one is asked for, and how this one was found. */
    public record Part(Optional<String> continuation, Optional<QueryMetrics> metrics) {}

    /** How much there is of a container, or of the range of it that answers, and how far indexing it anew has come. */
    public record Extent(Optional<Usage> usage, Optional<Integer> indexProgressPercent) {}

    /** Terms of a throughput: the least it may be lowered to, and whether a change is still being carried out. */
    public record Offer(int requestUnitsLeast, boolean replacePending) {}

    /** The parent of the resource answered: its name path and its rid. */
    public record Owner(String namePath, String rid) {}

    /**
     * Counted contents of a container, or of the range of it that answers. Its texts are lists of {@code name=value}, as
     * clients and scripts get them.
     */
    public record Usage(long items, long itemBytes, Optional<ScriptCounts> scripts) {
        private static final int KIB = 1024;

        /** What a container may hold, as the service tells it of a new one; sizes in KB, as in all of these. */
        public static final String QUOTA = "documentSize=" + Limits.ITEM_BYTES_MAX / KIB
                + ";documentsSize=" + Limits.QUOTA_BYTES / KIB
                + ";documentsCount=-1"
                + ";collectionSize=" + Limits.QUOTA_BYTES / KIB
                + ";storedProcedures=" + Limits.STORED_PROCEDURES_MAX
                + ";triggers=" + Limits.TRIGGERS_MAX
                + ";functions=" + Limits.USER_DEFINED_FUNCTIONS_MAX;

        public String text() {
            long kilobytes = Math.ceilDiv(itemBytes, KIB);
            return "documentSize=0;documentsSize=" + kilobytes
                    + ";documentsCount=" + items
                    + ";collectionSize=" + kilobytes
                    + scripts.map(ScriptCounts::text).orElse("");
        }
    }

    public record ScriptCounts(int storedProcedures, int triggers, int functions) {
        private String text() {
            return ";storedProcedures=" + storedProcedures + ";triggers=" + triggers + ";functions=" + functions;
        }
    }

    /**
     * Counted and timed work of one page of a query.
     *
     * @param tiesDescend whether rows that ORDER BY finds equal come in descending order of their document numbers, by
     *     which SDKs find the row at which they go on
     * @param advice ids of rules that the query could follow to be better
     */
    public record QueryMetrics(
            long itemsRead,
            long bytesRead,
            long itemsReturned,
            long bytesReturned,
            long nanosTotal,
            long nanosCompile,
            boolean tiesDescend,
            Optional<Explanation> explanation,
            List<String> advice) {
        public QueryMetrics {
            advice = List.copyOf(advice);
        }
    }

    /**
     * How a query finds its rows.
     *
     * @param places how many separate stretches of keys are looked at
     * @param ranges how many physical partitions they are in
     * @param rangesOfContainer out of how many
     * @param resumes whether the next page goes on where this one ended; otherwise it reads everything again
     * @param steps what happens to the items that are read
     */
    public record Explanation(
            Access access,
            int places,
            int ranges,
            int rangesOfContainer,
            boolean resumes,
            List<String> steps,
            IndexUse indexes) {
        public Explanation {
            steps = List.copyOf(steps);
        }
    }

    /**
     * What indexes did for a query.
     *
     * @param used what was looked up in which index, in words
     * @param hints what would help more, in words
     */
    public record IndexUse(List<String> used, long entriesRead, List<String> hints, IndexMetrics metrics) {
        public IndexUse {
            used = List.copyOf(used);
            hints = List.copyOf(hints);
        }
    }

    /** Which items a query looks at. */
    public enum Access {
        /** None: its rows follow from its text. */
        NONE,
        /** Those with certain partition keys and ids. */
        ITEMS,
        /** Those of certain logical partitions. */
        PARTITIONS,
        /** Those whose partition key begins in a certain way. */
        PREFIX,
        /** Those that an index finds. */
        INDEX,
        /** All. */
        SCAN
    }
}
