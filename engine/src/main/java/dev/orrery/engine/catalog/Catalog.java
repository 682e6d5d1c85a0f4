package dev.orrery.engine.catalog;

import dev.orrery.engine.key.CatalogVersion;
import dev.orrery.engine.key.DataFormat;
import dev.orrery.engine.key.Epochs;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.LastNumber;
import dev.orrery.engine.key.ResourceKey;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.engine.partition.WriteRight;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.store.Commit;
import dev.orrery.store.CommitId;
import dev.orrery.store.CommitResult;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Mutation;
import dev.orrery.store.PartitionId;
import dev.orrery.store.PartitionStore;
import dev.orrery.store.Store;
import dev.orrery.store.StoreException;
import dev.orrery.store.WritesStoppedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What exists, held in memory for reading and changed by one durable commit at a time. */
public final class Catalog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);

    public static final PartitionId ACCOUNT_PARTITION = new PartitionId(0);
    private static final long OWNER_EPOCH = 1;

    private final Store stores;
    private final PartitionStore store;
    private final long nonce;
    private volatile CatalogState known;
    private volatile CatalogVersion version;
    private final WriteRight right;
    private final long bytesMax;

    /** The first one in a new folder is that of the format. */
    private long commits = 1;

    private volatile Runnable changed = () -> {};

    /** Whether a change failed of which nobody knows yet if it took effect. */
    private volatile boolean inDoubt;

    private Catalog(Store stores, PartitionStore store, long nonce, WriteRight right, long bytesMax) {
        this.bytesMax = bytesMax;
        this.stores = stores;
        this.store = store;
        this.nonce = nonce;
        this.right = right;
        this.known = load(store);
        this.version = version(store);
    }

    /**
     * Reads everything into memory.
     *
     * @param nonce a number that no other opening used, for the ids of commits
     */
    public static Catalog open(Store stores, long nonce) {
        return open(stores, nonce, new WriteRight(), Long.MAX_VALUE);
    }

    /**
     * The same, in an account of which other regions may have the right to write.
     *
     * @param bytesMax how much memory everything may take together before nothing more may be added
     */
    public static Catalog open(Store stores, long nonce, WriteRight right, long bytesMax) {
        var store = stores.open(ACCOUNT_PARTITION, OWNER_EPOCH);
        try {
            demandFormat(store, nonce);
            return new Catalog(stores, store, nonce, right, bytesMax);
        } catch (RuntimeException refused) {
            store.close();
            throw refused;
        }
    }

    private static void demandFormat(PartitionStore store, long nonce) {
        if (store.lsn() > 0) {
            DataFormat.demand(store.get(DataFormat.key()));
        } else if (store.commit(new Commit(new CommitId(nonce, 1), 0, 1, List.of(DataFormat.row())))
                != CommitResult.COMMITTED) {
            throw new StoreException("The first record of a new data folder could not be written.");
        }
    }

    private CatalogState state() {
        if (inDoubt) {
            settle();
        }
        return known;
    }

    /** Finds out what became of a change that failed, if the store knows already; else all stays as it was before. */
    private synchronized void settle() {
        if (inDoubt) {
            try {
                stores.open(ACCOUNT_PARTITION, OWNER_EPOCH).close();
                known = load(store);
                version = version(store);
                inDoubt = false;
            } catch (WritesStoppedException _) {
                // Nothing can be written anywhere, so nothing is written that would rest on it.
            }
        }
    }

    private static CatalogVersion version(PartitionStore store) {
        var value = store.get(CatalogVersion.key());
        // A folder that was written before versions were kept.
        return value == null ? new CatalogVersion(Epochs.NONE, store.lsn()) : CatalogVersion.decode(value);
    }

    private static CatalogState load(PartitionStore store) {
        var rows = new ArrayList<CatalogRow>();
        int lastNumber;
        try (var snapshot = store.snapshot();
                var cursor = snapshot.scan(KeyRange.prefix(KeySpace.RESOURCE.start()), Direction.FORWARD)) {
            while (cursor.next()) {
                rows.add(CatalogRow.decode(cursor.key(), cursor.value()));
            }
            var number = snapshot.get(LastNumber.key());
            lastNumber = number == null ? 0 : LastNumber.decode(number);
        }
        var resources = rows.stream().map(CatalogRow::resource).toList();
        var bare = CatalogState.of(resources, List.of(), lastNumber);
        var containers = rows.stream()
                .filter(row -> row.ranges().isPresent())
                .map(row -> container(row, path(bare, row.resource())))
                .toList();
        return CatalogState.of(resources, containers, lastNumber);
    }

    /** Whether a stored row can be read. */
    public static boolean isRow(byte[] key, byte[] value) {
        try {
            var row = CatalogRow.decode(key, value);
            if (row.ranges().isPresent()) {
                ContainerDefinition.parse(row.resource().json());
            }
            return true;
        } catch (RuntimeException malformed) {
            return false;
        }
    }

    // ---- reading ----

    /** Another number after every change. */
    public long version() {
        return version.version();
    }

    /** The same, with the epoch of the account in which the last change was made. */
    public CatalogVersion place() {
        return version;
    }

    public Optional<Resource> find(Rid rid) {
        return state().find(rid);
    }

    public Optional<Resource> find(Optional<Rid> parent, ResourceKind kind, String name) {
        return state().find(parent, kind, name);
    }

    public Optional<Resource> find(Address address) {
        return state().find(address);
    }

    /** The resource at an address; refuses with "not found", or "owner not found" when its parent is missing already. */
    public Resource resolve(Address address) {
        var now = state();
        return now.find(address).orElseThrow(() -> {
            boolean owned =
                    address.segments().size() == 1 || now.find(address.parent()).isPresent();
            return new FailureException(
                    owned
                            ? new Failure.NotFound(
                                    "Entity with the specified id does not exist in the system. Resource " + address
                                            + " does not exist.")
                            : new Failure.OwnerNotFound("The owner of resource " + address + " does not exist."));
        });
    }

    /** The resource that others are to hang below. */
    public Optional<Rid> resolveParent(Address parent) {
        if (parent.isAccount()) {
            return Optional.empty();
        }
        return Optional.of(state().find(parent)
                .orElseThrow(() -> new FailureException(
                        new Failure.OwnerNotFound("Owner resource " + parent + " does not exist.")))
                .rid());
    }

    public Container resolveContainer(Address address) {
        var now = state();
        return now.find(address)
                .flatMap(resource -> now.findContainer(resource.rid()))
                .orElseThrow(() ->
                        new FailureException(new Failure.OwnerNotFound("Container " + address + " does not exist.")));
    }

    public Optional<Container> findContainer(Rid rid) {
        return state().findContainer(rid);
    }

    public Collection<Container> containers() {
        return state().containers();
    }

    /** The container that an address leads to or into, or its database, whichever of them there is. */
    public Location locate(Address address) {
        return state().locate(address);
    }

    public boolean has(Location location) {
        return state().has(location);
    }

    public List<Resource> list(Optional<Rid> parent, ResourceKind kind) {
        return state().list(parent, kind);
    }

    /** Every partition that something lives in. */
    public Set<PartitionId> partitions() {
        var all = new HashSet<PartitionId>();
        all.add(ACCOUNT_PARTITION);
        for (var container : state().containers()) {
            container.ranges().live().forEach(range -> all.add(Partitions.id(container.number(), range.id())));
        }
        return all;
    }

    /** {@code dbs/d/colls/c}: names from the database down. */
    public String path(Resource resource) {
        return path(state(), resource);
    }

    private static String path(CatalogState state, Resource resource) {
        var own = resource.kind().segment() + "/" + resource.id();
        return resource.parent()
                .flatMap(state::find)
                .map(parent -> path(state, parent) + "/" + own)
                .orElse(own);
    }

    // ---- changing ----

    /**
     * Runs an edit against the last state, alone, and makes its changes durable before anyone sees them. An edit that
     * throws changes nothing.
     */
    public synchronized <T> T change(Function<Edit, T> work) {
        right.demand();
        var edit = new Edit(state(), version.version() + 1);
        var result = work.apply(edit);
        demandRoom(edit);
        if (!edit.mutations.isEmpty()) {
            var next = new CatalogVersion(version.epoch(), edit.lsn);
            edit.mutations.add(new Mutation.Put(CatalogVersion.key(), next.encode()));
            edit.mutations.add(new Mutation.Put(
                    CatalogVersion.logKey(edit.lsn), CatalogVersion.encodeLog(List.copyOf(edit.changed))));
            if (edit.lsn > Limits.CATALOG_LOG_MAX) {
                edit.mutations.add(new Mutation.Delete(CatalogVersion.logKey(edit.lsn - Limits.CATALOG_LOG_MAX)));
            }
            commit(edit.mutations);
            known = edit.next;
            version = next;
            changed.run();
        }
        return result;
    }

    /** Everything here is in memory for as long as the server runs, so it must not be more than there is. */
    private void demandRoom(Edit edit) {
        if (edit.next.bytes() > bytesMax && edit.next.bytes() > known.bytes()) {
            throw new FailureException(new Failure.Forbidden(
                    "The databases, containers, scripts, users and permissions of the account take all of the "
                            + bytesMax / (1024 * 1024)
                            + " MB of memory that there is for them. Delete some, or give the server a larger heap."));
        }
    }

    /** Changes what is true of this copy of the data only: no other copy is told. */
    public synchronized <T> T note(Function<Edit, T> work) {
        var edit = new Edit(state(), version.version());
        var result = work.apply(edit);
        if (!edit.mutations.isEmpty()) {
            commit(edit.mutations);
            known = edit.next;
        }
        return result;
    }

    // ---- following another copy ----

    /** Has somebody told of every change; he must be quick. */
    public void onChange(Runnable watcher) {
        changed = watcher;
    }

    /** Notes that this copy takes the writes from now on: behind all numbers that were drawn elsewhere. */
    public synchronized void enter(long epoch) {
        var next = new CatalogVersion(epoch, version.version());
        int number = LastNumber.beyond(state().lastNumber());
        commit(List.of(
                new Mutation.Put(LastNumber.key(), LastNumber.encode(number)),
                new Mutation.Put(CatalogVersion.key(), next.encode())));
        known = known.withLastNumber(number);
        version = next;
        changed.run();
    }

    /** What a copy lacks that has come to a version; everything where that cannot be told. */
    public synchronized CatalogShipment shipment(CatalogVersion after) {
        var rows = new ArrayList<CatalogShipment.Row>();
        state(); // Nothing is told of which nobody knows yet if it took effect.
        try (var snapshot = store.snapshot()) {
            var number = snapshot.get(LastNumber.key());
            int lastNumber = number == null ? 0 : LastNumber.decode(number);
            boolean complete = after.epoch() != version.epoch()
                    || (after.version() < version.version()
                            && snapshot.get(CatalogVersion.logKey(after.version() + 1)) == null);
            if (complete) {
                try (var cursor = snapshot.scan(KeyRange.prefix(KeySpace.RESOURCE.start()), Direction.FORWARD)) {
                    while (cursor.next()) {
                        rows.add(new CatalogShipment.Row(cursor.key(), shared(cursor.key(), cursor.value())));
                    }
                }
            } else {
                var rids = new LinkedHashSet<Rid>();
                for (long one = after.version() + 1; one <= version.version(); one++) {
                    rids.addAll(CatalogVersion.decodeLog(snapshot.get(CatalogVersion.logKey(one))));
                }
                for (var rid : rids) {
                    var key = ResourceKey.encode(rid);
                    var value = snapshot.get(key);
                    rows.add(new CatalogShipment.Row(key, value == null ? null : shared(key, value)));
                }
            }
            return new CatalogShipment(version, complete, lastNumber, rows);
        }
    }

    /** Without what is true of this copy only. */
    private static byte[] shared(byte[] key, byte[] value) {
        return CatalogRow.decode(key, value).shared().encode();
    }

    /** The containers of a shipment as they will be here, each beside what it is now. */
    public synchronized Map<Container, Optional<Container>> foresee(CatalogShipment shipment) {
        var foreseen = new LinkedHashMap<Container, Optional<Container>>();
        for (var row : shipment.rows()) {
            if (row.value() != null) {
                var theirs = CatalogRow.decode(row.key(), row.value());
                if (theirs.ranges().isPresent()) {
                    foreseen.put(
                            container(theirs, ""),
                            state().findContainer(theirs.resource().rid()));
                }
            }
        }
        return foreseen;
    }

    /**
     * Takes over what another copy has told.
     *
     * @param merging what a container is to be here, from what it is there and what it has been here
     * @return the containers that are gone
     */
    public synchronized List<Container> follow(
            CatalogShipment shipment, BiFunction<Container, Optional<Container>, Container> merging) {
        var before = state();
        var mutations = new ArrayList<Mutation>();
        var rids = new HashSet<Rid>();
        for (var row : shipment.rows()) {
            var rid = ResourceKey.decode(row.key());
            rids.add(rid);
            if (row.value() == null) {
                mutations.add(new Mutation.Delete(row.key()));
            } else {
                var theirs = CatalogRow.decode(row.key(), row.value());
                var mine = theirs.ranges().isEmpty()
                        ? theirs
                        : CatalogRow.of(merging.apply(container(theirs, ""), before.findContainer(rid)));
                mutations.add(new Mutation.Put(row.key(), mine.encode()));
            }
        }
        if (shipment.isComplete()) {
            before.all().stream()
                    .map(Resource::rid)
                    .filter(rid -> !rids.contains(rid))
                    .forEach(rid -> mutations.add(new Mutation.Delete(ResourceKey.encode(rid))));
        }
        mutations.add(new Mutation.Put(LastNumber.key(), LastNumber.encode(shipment.lastNumber())));
        mutations.add(new Mutation.Put(CatalogVersion.key(), shipment.version().encode()));
        commit(mutations);
        known = load(store);
        version = shipment.version();
        changed.run();
        return before.containers().stream()
                .filter(container -> known.findContainer(container.rid()).isEmpty())
                .toList();
    }

    private static Container container(CatalogRow row, String path) {
        return new Container(
                row.resource(),
                ContainerDefinition.parse(row.resource().json()),
                row.ranges().orElseThrow(),
                path,
                row.expiryStale(),
                row.superseded());
    }

    private void commit(List<Mutation> mutations) {
        commit(new Commit(new CommitId(nonce, ++commits), store.lsn(), store.lsn() + 1, mutations));
    }

    private void commit(Commit commit) {
        try {
            if (store.commit(commit) != CommitResult.COMMITTED) {
                throw new FailureException(new Failure.Unavailable("The account is being served elsewhere."));
            }
        } catch (WritesStoppedException stopped) {
            throw new FailureException(new Failure.Unavailable(stopped.getMessage() + "."));
        } catch (StoreException | Error failure) {
            inDoubt = true;
            LOG.error("A change of the catalog failed", failure);
            throw new FailureException(new Failure.Unavailable(
                    "The change could not be made durable; it may or may not have taken effect. Read before you repeat"
                            + " it. " + failure.getMessage() + "."));
        }
    }

    /** Changes being made; sees its own. */
    public static final class Edit {
        private final long lsn;
        private final List<Mutation> mutations = new ArrayList<>();
        private final Set<Rid> changed = new LinkedHashSet<>();
        private CatalogState next;

        private Edit(CatalogState state, long lsn) {
            this.next = state;
            this.lsn = lsn;
        }

        /** The LSN that this edit gets; what its etags are made of. */
        public long lsn() {
            return lsn;
        }

        /** A number for a new rid, never drawn before. */
        public int drawNumber() {
            int number = next.lastNumber() + 1;
            next = next.withLastNumber(number);
            mutations.add(new Mutation.Put(LastNumber.key(), LastNumber.encode(number)));
            return number;
        }

        public Optional<Resource> find(Rid rid) {
            return next.find(rid);
        }

        public Optional<Resource> find(Optional<Rid> parent, ResourceKind kind, String name) {
            return next.find(parent, kind, name);
        }

        public Optional<Container> findContainer(Rid rid) {
            return next.findContainer(rid);
        }

        public List<Resource> list(Optional<Rid> parent, ResourceKind kind) {
            return next.list(parent, kind);
        }

        /** A resource with all that hangs below it, itself last. */
        public List<Resource> subtree(Resource root) {
            return next.subtree(root);
        }

        public void put(Resource resource) {
            next = next.with(resource);
            put(CatalogRow.of(resource));
        }

        public void put(Container container) {
            next = next.with(container);
            put(CatalogRow.of(container));
        }

        public void remove(Resource resource) {
            next = next.without(resource);
            changed.add(resource.rid());
            mutations.add(new Mutation.Delete(ResourceKey.encode(resource.rid())));
        }

        public String path(Resource resource) {
            return Catalog.path(next, resource);
        }

        private void put(CatalogRow row) {
            changed.add(row.resource().rid());
            mutations.add(new Mutation.Put(row.key(), row.encode()));
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
