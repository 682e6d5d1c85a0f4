package dev.orrery.engine.catalog;

import dev.orrery.engine.key.DataFormat;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.key.LastNumber;
import dev.orrery.engine.key.ResourceKey;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
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
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
    private volatile long version;

    /** The first one in a new folder is that of the format. */
    private long commits = 1;

    /** Whether a change failed of which nobody knows yet if it took effect. */
    private volatile boolean inDoubt;

    private Catalog(Store stores, PartitionStore store, long nonce) {
        this.stores = stores;
        this.store = store;
        this.nonce = nonce;
        this.known = load(store);
        this.version = store.lsn();
    }

    /**
     * Reads everything into memory.
     *
     * @param nonce a number that no other opening used, for the ids of commits
     */
    public static Catalog open(Store stores, long nonce) {
        var store = stores.open(ACCOUNT_PARTITION, OWNER_EPOCH);
        try {
            demandFormat(store, nonce);
            return new Catalog(stores, store, nonce);
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
                version = store.lsn();
                inDoubt = false;
            } catch (WritesStoppedException _) {
                // Nothing can be written anywhere, so nothing is written that would rest on it.
            }
        }
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
                .map(row -> new Container(
                        row.resource(),
                        ContainerDefinition.parse(row.resource().json()),
                        row.ranges().get(),
                        path(bare, row.resource()),
                        row.expiryStale(),
                        row.superseded()))
                .toList();
        return CatalogState.of(resources, containers, lastNumber);
    }

    // ---- reading ----

    /** Another number after every change. */
    public long version() {
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
        var edit = new Edit(state(), store.lsn() + 1);
        var result = work.apply(edit);
        if (!edit.mutations.isEmpty()) {
            commit(new Commit(new CommitId(nonce, ++commits), store.lsn(), edit.lsn, edit.mutations));
            known = edit.next;
            version = edit.lsn;
        }
        return result;
    }

    private void commit(Commit commit) {
        try {
            if (store.commit(commit) != CommitResult.COMMITTED) {
                throw new FailureException(new Failure.Unavailable("The account is being served elsewhere."));
            }
        } catch (WritesStoppedException stopped) {
            throw new FailureException(new Failure.Unavailable(stopped.getMessage() + "."));
        } catch (StoreException failure) {
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
            mutations.add(new Mutation.Delete(ResourceKey.encode(resource.rid())));
        }

        public String path(Resource resource) {
            return Catalog.path(next, resource);
        }

        private void put(CatalogRow row) {
            mutations.add(new Mutation.Put(row.key(), row.encode()));
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
