package dev.orrery.engine.operation;

import dev.orrery.model.definition.OfferDefinition.Migration;
import dev.orrery.model.definition.Throughput;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.key.EpkRange;
import dev.orrery.model.key.PartitionKey;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Everything a client can ask of the database; one record per request kind, free of how it came over the wire. */
@SuppressWarnings("ArrayRecordComponent") // Bodies are carried, never compared.
public sealed interface Operation {

    /** Where it leads: to the resource that it is about, or to the one in which that lies. */
    default Address about() {
        return switch (this) {
            case CreateResource create -> create.parent();
            case ReadResource read -> read.address();
            case ReplaceResource replace -> replace.address();
            case DeleteResource delete -> delete.address();
            case ListResources list -> list.parent();
            case QueryResources query -> query.parent();
            case ReadRanges ranges -> ranges.container();
            case ReadProgress progress -> progress.place();
            case ReadItem read -> read.container();
            case WriteItem write -> write.container();
            case ExecuteProcedure execute -> execute.container();
            case DeletePartition delete -> delete.container();
            case ListItems list -> list.container();
            case ReadChanges read -> read.container();
            case QueryItems query -> query.container();
            case PlanQuery plan -> plan.container();
            case Batch batch -> batch.container();
        };
    }

    /** Whether it changes nothing, so that it can be asked for again. */
    default boolean onlyReads() {
        return switch (this) {
            case ReadResource _,
                    ListResources _,
                    QueryResources _,
                    ReadRanges _,
                    ReadProgress _,
                    ReadItem _,
                    ListItems _,
                    ReadChanges _,
                    QueryItems _,
                    PlanQuery _ -> true;
            case CreateResource _,
                    ReplaceResource _,
                    DeleteResource _,
                    WriteItem _,
                    ExecuteProcedure _,
                    DeletePartition _,
                    Batch _ -> false;
        };
    }

    // ---- resources that describe: databases, containers, users, permissions, offers, encryption keys ----

    /** Create below {@code parent}; {@code upsert} replaces a resource of the same id instead of refusing it. */
    record CreateResource(
            ResourceKind kind,
            Address parent,
            byte[] body,
            boolean upsert,
            Optional<Throughput> throughput,
            int tokenSeconds)
            implements Operation {}

    record ReadResource(Address address, Precondition precondition, boolean quota, int tokenSeconds)
            implements Operation {}

    /** {@code migration} asks for the other kind of throughput, and only means something for an offer. */
    record ReplaceResource(
            Address address, byte[] body, Precondition precondition, Migration migration, int tokenSeconds)
            implements Operation {}

    record DeleteResource(Address address, Precondition precondition) implements Operation {}

    record ListResources(ResourceKind kind, Address parent, Page page) implements Operation {}

    record QueryResources(ResourceKind kind, Address parent, QueryText query, Page page) implements Operation {}

    /** The ranges of a container; with {@code since}, only what changed after the cursor of an earlier answer. */
    record ReadRanges(Address container, Optional<String> since) implements Operation {}

    /**
     * How far a range has come, with nothing read from it: the facts of the answer are all there is to it. About the
     * account, how far its resources have come.
     */
    record ReadProgress(Address place, Scope scope) implements Operation {}

    // ---- items ----

    record ReadItem(Address container, String id, Optional<PartitionKey> partition, Precondition precondition)
            implements Operation {}

    /** Create, upsert, replace, patch or delete one item. */
    record WriteItem(
            Address container,
            Optional<PartitionKey> partition,
            ItemWrite write,
            Triggers triggers,
            IndexingDirective indexing)
            implements Operation {
        public WriteItem(Address container, Optional<PartitionKey> partition, ItemWrite write, Triggers triggers) {
            this(container, partition, write, triggers, IndexingDirective.DEFAULT);
        }
    }

    /** Runs a stored procedure; {@code arguments} is a JSON array, {@code logs} asks for what it says to its console. */
    record ExecuteProcedure(
            Address container, String id, Optional<PartitionKey> partition, byte[] arguments, boolean logs)
            implements Operation {}

    record DeletePartition(Address container, PartitionKey partition) implements Operation {}

    record ListItems(Address container, Scope scope, Page page) implements Operation {}

    /** What has changed in a part of a container. */
    record ReadChanges(Address container, Scope scope, ChangesWanted wanted, Optional<Integer> itemsMax)
            implements Operation {}

    record QueryItems(Address container, Scope scope, QueryText query, Page page, Set<QueryWish> wishes)
            implements Operation {
        public QueryItems {
            wishes = Set.copyOf(wishes);
        }
    }

    /** How an SDK should spread a query over ranges; {@code features} are those the SDK says it has. */
    record PlanQuery(Address container, Optional<PartitionKey> partition, QueryText query, List<String> features)
            implements Operation {
        public PlanQuery {
            features = List.copyOf(features);
        }
    }

    /** Several item operations in one request: atomic within one logical partition, or each for itself. */
    record Batch(Address container, Scope scope, List<BatchItem> items, boolean atomic, boolean continueOnError)
            implements Operation {
        public Batch {
            items = List.copyOf(items);
        }

        public boolean isReading() {
            return items.stream().allMatch(item -> item.action() instanceof BatchAction.Read);
        }
    }

    // ---- parts ----

    /**
     * Which changes, and in which form.
     *
     * @param after the place to go on from, as an earlier answer gave it, {@code *} for now, absent for the beginning
     * @param since leaves out what was written before a time
     * @param wrapped whether each item is told together with what happened to it; always so with all versions
     * @param previous whether the version before is told as well
     */
    record ChangesWanted(
            ChangeMode mode, Optional<String> after, Optional<Instant> since, boolean wrapped, boolean previous) {
        public static final String NOW = "*";
    }

    /** What a client may want of a query besides its rows. */
    enum QueryWish {
        /** How they were found. */
        EXPLANATION,
        /** How it could be put better. */
        ADVICE,
        /** That the server puts rows of several ranges together, which otherwise is what clients have plans for. */
        WHOLE_RESULT,
        /** That it is refused if it may find items of more than one partition key, since nobody has allowed for that. */
        ONE_PARTITION
    }

    enum ChangeMode {
        /** Each item that has changed as it is now. */
        LATEST_VERSION,
        /** Each version of it, and its end. */
        ALL_VERSIONS
    }

    /** One write of one item, as it stands in a single request and in a batch. */
    sealed interface ItemWrite {
        Precondition precondition();

        record Create(byte[] body, Precondition precondition) implements ItemWrite {}

        record Upsert(byte[] body, Precondition precondition) implements ItemWrite {}

        record Replace(String id, byte[] body, Precondition precondition) implements ItemWrite {}

        record Patch(String id, JsonPatch patch, Precondition precondition) implements ItemWrite {}

        record Delete(String id, Precondition precondition) implements ItemWrite {}
    }

    /** One entry of a batch; {@code partition} stands only in batches that are not atomic. */
    record BatchItem(BatchAction action, Optional<PartitionKey> partition, boolean minimal) {
        /** The same, but for a client that wants no written item back. */
        public BatchItem answeredMinimally() {
            return new BatchItem(action, partition, true);
        }
    }

    sealed interface BatchAction {
        record Read(String id, Precondition precondition) implements BatchAction {}

        record Write(ItemWrite write, IndexingDirective indexing) implements BatchAction {
            public Write(ItemWrite write) {
                this(write, IndexingDirective.DEFAULT);
            }
        }
    }

    /** {@code If-Match} and {@code If-None-Match}: etags as the client sent them (quoted, or {@code *}). */
    record Precondition(Optional<String> ifMatch, Optional<String> ifNoneMatch) {
        public static final Precondition NONE = new Precondition(Optional.empty(), Optional.empty());
    }

    /** Whether queries are to find what is written through an index; what they do not find, nothing of theirs gives. */
    enum IndexingDirective {
        /** As the indexing policy says. */
        DEFAULT,
        INCLUDE,
        EXCLUDE
    }

    /** Names of scripts to run with a write. */
    record Triggers(List<String> before, List<String> after) {
        public static final Triggers NONE = new Triggers(List.of(), List.of());

        public Triggers {
            before = List.copyOf(before);
            after = List.copyOf(after);
        }
    }

    /** Which part of a container a feed or query covers; all that are given must hold. */
    record Scope(Optional<String> rangeId, Optional<PartitionKey> partition, Optional<EpkRange> epkRange) {
        public static final Scope ALL = new Scope(Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** {@code itemsMax} is absent when the client leaves the page size to the server. */
    record Page(Optional<Integer> itemsMax, Optional<String> continuation) {
        public static final Page FIRST = new Page(Optional.empty(), Optional.empty());
    }

    /** A query as sent: the body {@code {"query": ..., "parameters": [...]}} still unread. */
    record QueryText(byte[] body) {}
}
