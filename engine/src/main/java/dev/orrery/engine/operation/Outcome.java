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

    /** Facts about a reply; whatever does not apply is absent. */
    public record Facts(
            Optional<String> etag,
            Optional<String> sessionToken,
            Optional<String> rangeId,
            Optional<Long> lsn,
            Optional<Long> itemLsn,
            Optional<Owner> owner,
            Optional<String> continuation,
            Optional<Offer> offer,
            Optional<Usage> usage,
            Optional<Integer> indexProgressPercent,
            Optional<QueryMetrics> queryMetrics) {
        public static final Facts NONE = new Facts(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());

        /** Of a reply that one range of a container gave. */
        public static Facts ofRange(
                Owner owner,
                String rangeId,
                String sessionToken,
                long lsn,
                Optional<String> etag,
                Optional<Long> itemLsn) {
            return new Facts(
                    etag,
                    Optional.of(sessionToken),
                    Optional.of(rangeId),
                    Optional.of(lsn),
                    itemLsn,
                    Optional.of(owner),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        /** Of a reply put together from several ranges. */
        public static Facts ofRanges(Owner owner, String sessionTokens, long lsn) {
            return new Facts(
                    Optional.empty(),
                    Optional.of(sessionTokens).filter(tokens -> !tokens.isEmpty()),
                    Optional.empty(),
                    Optional.of(lsn),
                    Optional.empty(),
                    Optional.of(owner),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        /** Of the account and what describes in it, which have come so far. */
        public static Facts ofAccount(long lsn) {
            return new Facts(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of(lsn),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        /** Of a reply about a resource that describes. */
        public static Facts ofResource(Optional<String> etag, Optional<Owner> owner) {
            return new Facts(
                    etag,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    owner,
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty());
        }

        Facts withoutOwner() {
            return new Facts(
                    etag,
                    sessionToken,
                    rangeId,
                    lsn,
                    itemLsn,
                    Optional.empty(),
                    continuation,
                    offer,
                    usage,
                    indexProgressPercent,
                    queryMetrics);
        }

        public Facts withEtag(String tag) {
            return new Facts(
                    Optional.of(tag),
                    sessionToken,
                    rangeId,
                    lsn,
                    itemLsn,
                    owner,
                    continuation,
                    offer,
                    usage,
                    indexProgressPercent,
                    queryMetrics);
        }

        public Facts withPage(Optional<String> nextContinuation, Optional<QueryMetrics> metrics) {
            return new Facts(
                    etag,
                    sessionToken,
                    rangeId,
                    lsn,
                    itemLsn,
                    owner,
                    nextContinuation,
                    offer,
                    usage,
                    indexProgressPercent,
                    metrics);
        }

        public Facts withOffer(Offer terms) {
            return new Facts(
                    etag,
                    sessionToken,
                    rangeId,
                    lsn,
                    itemLsn,
                    owner,
                    continuation,
                    Optional.of(terms),
                    usage,
                    indexProgressPercent,
                    queryMetrics);
        }

        public Facts withUsage(Usage counted) {
            return new Facts(
                    etag,
                    sessionToken,
                    rangeId,
                    lsn,
                    itemLsn,
                    owner,
                    continuation,
                    offer,
                    Optional.of(counted),
                    indexProgressPercent,
                    queryMetrics);
        }

        public Facts withContainer(Optional<Usage> counted, int indexPercent) {
            return new Facts(
                    etag,
                    sessionToken,
                    rangeId,
                    lsn,
                    itemLsn,
                    owner,
                    continuation,
                    offer,
                    counted,
                    Optional.of(indexPercent),
                    queryMetrics);
        }
    }

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
