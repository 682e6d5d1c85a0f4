package dev.orrery.engine.resource;

import dev.orrery.engine.access.Access;
import dev.orrery.engine.budget.Budgets;
import dev.orrery.engine.catalog.Catalog;
import dev.orrery.engine.catalog.Container;
import dev.orrery.engine.catalog.Ranges;
import dev.orrery.engine.catalog.Resource;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.item.IndexRebuild;
import dev.orrery.engine.key.StoredItem;
import dev.orrery.engine.operation.Operation.CreateResource;
import dev.orrery.engine.operation.Operation.DeleteResource;
import dev.orrery.engine.operation.Operation.ListResources;
import dev.orrery.engine.operation.Operation.QueryResources;
import dev.orrery.engine.operation.Operation.ReadRanges;
import dev.orrery.engine.operation.Operation.ReadResource;
import dev.orrery.engine.operation.Operation.ReplaceResource;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Change;
import dev.orrery.engine.operation.Outcome.Extent;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.engine.operation.Outcome.Owner;
import dev.orrery.engine.operation.Outcome.ScriptCounts;
import dev.orrery.engine.operation.Outcome.Usage;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.partition.Partitions;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.engine.view.Views;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.ClientEncryptionKeyDefinition;
import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.definition.DatabaseDefinition;
import dev.orrery.model.definition.Definition;
import dev.orrery.model.definition.PermissionDefinition;
import dev.orrery.model.definition.ScriptDefinition;
import dev.orrery.model.definition.TriggerDefinition;
import dev.orrery.model.definition.UserDefinition;
import dev.orrery.model.definition.ViewDefinition;
import dev.orrery.model.json.JsonScanner;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.model.json.SystemProperties;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.sql.ViewQuery;
import dev.orrery.sql.bind.ComputedPropertyQuery;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/** What clients can do with resources that describe, which is everything but items. */
public final class Resources {
    private final Catalog catalog;
    private final Partitions partitions;
    private final Census census;
    private final Offers offers;
    private final Access access;
    private final ScriptRunner scripts;
    private final InstantSource clock;
    private final ResourceFeed feeds;
    private final IndexRebuild rebuild;
    private final Views views;

    public Resources(
            Catalog catalog,
            Partitions partitions,
            Census census,
            Growth growth,
            Budgets budgets,
            IndexRebuild rebuild,
            Views views,
            Access access,
            ScriptRunner scripts,
            InstantSource clock,
            LongSupplier nanos,
            RandomGenerator random,
            MemoryBudget memory) {
        this.catalog = catalog;
        this.partitions = partitions;
        this.census = census;
        this.offers = new Offers(catalog, growth, budgets, clock);
        this.access = access;
        this.rebuild = rebuild;
        this.views = views;
        this.scripts = scripts;
        this.clock = clock;
        this.feeds = new ResourceFeed(clock, nanos, random, memory);
    }

    /** Goes on with what the last stop of the server interrupted. */
    public void resume() {
        offers.resumeGrowth();
    }

    // ---- create ----

    public Outcome create(CreateResource create) {
        var body = body(create.body());
        var definition = definition(create.kind(), body);
        demandReadable(create.kind(), body);
        Change[] change = {Change.CREATED};
        var resource = catalog.change(edit -> {
            var parent = catalog.resolveParent(create.parent());
            var existing = edit.find(parent, create.kind(), definition.id());
            if (existing.isEmpty()) {
                return create(edit, create, parent, definition);
            }
            if (!create.upsert()) {
                throw new FailureException(new Failure.Conflict("Resource with specified id or name already exists: '"
                        + definition.id() + "' is taken in this place."));
            }
            change[0] = Change.REPLACED;
            return replace(edit, existing.get(), body);
        });
        return answer(change[0], resource, create.tokenSeconds());
    }

    private Resource create(Catalog.Edit edit, CreateResource create, Optional<Rid> parent, Definition definition) {
        var rid = newRid(create.kind(), parent, edit.drawNumber());
        var complete = definition instanceof ContainerDefinition container
                ? ViewRules.withSource(edit, parent.orElseThrow(), container)
                : definition;
        var resource = resource(edit, create.kind(), rid, parent, complete);
        switch (complete) {
            case ContainerDefinition container -> {
                var database = parent.orElseThrow();
                demandKeys(edit, database, container);
                var throughput = offers.forContainer(edit, database, create.throughput());
                var ranges =
                        Ranges.evenly(offers.ranges(edit, database, throughput), container.partitionKey(), nowSecond());
                var path = edit.path(edit.find(database).orElseThrow()) + "/"
                        + create.kind().segment() + "/" + container.id();
                edit.put(new Container(resource, container, ranges, path, false, List.of()));
                throughput.ifPresent(some -> offers.create(edit, resource, some));
            }
            case DatabaseDefinition _ -> {
                edit.put(resource);
                offers.forDatabase(create.throughput()).ifPresent(some -> offers.create(edit, resource, some));
            }
            case PermissionDefinition permission -> {
                access.demandTarget(permission);
                edit.put(resource);
            }
            case ScriptDefinition _, TriggerDefinition _ -> {
                demandRoom(edit, parent, create.kind());
                edit.put(resource);
            }
            case UserDefinition _, ClientEncryptionKeyDefinition _ -> edit.put(resource);
        }
        return resource;
    }

    /** Properties that were encrypted with a key that nobody has could never be read. */
    private static void demandKeys(Catalog.Edit edit, Rid database, ContainerDefinition container) {
        container
                .clientEncryptionPolicy()
                .ifPresent(policy -> policy.paths().forEach(path -> {
                    if (edit.find(Optional.of(database), ResourceKind.CLIENT_ENCRYPTION_KEY, path.keyId())
                            .isEmpty()) {
                        throw new FailureException(new Failure.BadRequest("The clientEncryptionPolicy names the key '"
                                + path.keyId() + "' for " + path.path() + ", which is not a client encryption key of"
                                + " this database."));
                    }
                }));
    }

    private static void demandRoom(Catalog.Edit edit, Optional<Rid> container, ResourceKind kind) {
        int countMax = kind == ResourceKind.STORED_PROCEDURE
                ? Limits.STORED_PROCEDURES_MAX
                : kind == ResourceKind.TRIGGER ? Limits.TRIGGERS_MAX : Limits.USER_DEFINED_FUNCTIONS_MAX;
        if (edit.list(container, kind).size() >= countMax) {
            throw new FailureException(new Failure.Forbidden("The container has " + countMax
                    + " resources of the kind '" + kind.segment() + "' already, and may not have more."));
        }
    }

    /** Asked before the catalog is held for the change: a script may take a while to read, the first one above all. */
    private void demandReadable(ResourceKind kind, Obj body) {
        switch (kind) {
            case STORED_PROCEDURE, USER_DEFINED_FUNCTION -> {
                var script = ScriptDefinition.parse(body);
                scripts.check(script.id(), script.body());
            }
            // A trigger is read when it runs first: clients store bodies that never do.
            case TRIGGER,
                    DATABASE,
                    CONTAINER,
                    USER,
                    PERMISSION,
                    CLIENT_ENCRYPTION_KEY,
                    ITEM,
                    CONFLICT,
                    PARTITION_RANGE,
                    OFFER,
                    ATTACHMENT -> {}
        }
    }

    private static Obj body(byte[] bytes) {
        return JsonScanner.scan(bytes).asObject("The request body");
    }

    private static Definition definition(ResourceKind kind, Obj body) {
        return switch (kind) {
            case DATABASE -> DatabaseDefinition.parse(body);
            case CONTAINER -> {
                var container = demandGoodQueries(ContainerDefinition.parse(body));
                container.partitionKey().demandPlainPaths();
                yield container;
            }
            case USER -> UserDefinition.parse(body);
            case PERMISSION -> PermissionDefinition.parse(body);
            case CLIENT_ENCRYPTION_KEY -> ClientEncryptionKeyDefinition.parse(body);
            case STORED_PROCEDURE, USER_DEFINED_FUNCTION -> ScriptDefinition.parse(body);
            case TRIGGER -> TriggerDefinition.parse(body);
            case ITEM, CONFLICT, PARTITION_RANGE, OFFER, ATTACHMENT ->
                throw new FailureException(new Failure.MethodNotAllowed(
                        "Resources of the kind '" + kind.segment() + "' cannot be created."));
        };
    }

    private static ContainerDefinition demandGoodQueries(ContainerDefinition definition) {
        ComputedPropertyQuery.check(definition);
        definition.view().ifPresent(view -> ViewQuery.of(view.query()));
        return definition;
    }

    private static Rid newRid(ResourceKind kind, Optional<Rid> parent, int number) {
        return switch (kind) {
            case DATABASE -> Rid.database(number);
            case CONTAINER -> Rid.container(parent.orElseThrow(), number);
            case USER -> Rid.user(parent.orElseThrow(), number);
            case PERMISSION -> Rid.permission(parent.orElseThrow(), number);
            case CLIENT_ENCRYPTION_KEY -> Rid.clientEncryptionKey(parent.orElseThrow(), number);
            case STORED_PROCEDURE -> Rid.containerChild(Rid.Kind.STORED_PROCEDURE, parent.orElseThrow(), number);
            case TRIGGER -> Rid.containerChild(Rid.Kind.TRIGGER, parent.orElseThrow(), number);
            case USER_DEFINED_FUNCTION ->
                Rid.containerChild(Rid.Kind.USER_DEFINED_FUNCTION, parent.orElseThrow(), number);
            case ITEM, CONFLICT, PARTITION_RANGE, OFFER, ATTACHMENT ->
                throw new IllegalStateException("Not made here: " + kind);
        };
    }

    private Resource resource(
            Catalog.Edit edit, ResourceKind kind, Rid rid, Optional<Rid> parent, Definition definition) {
        var above = parent.flatMap(edit::find).map(Resource::self).orElse("");
        var system = new SystemProperties(
                rid.toString(),
                above + kind.segment() + "/" + rid + "/",
                StoredItem.etag(edit.lsn(), 0, nowSecond()),
                nowSecond());
        return new Resource(kind, rid, parent, definition.toJson(system));
    }

    // ---- read ----

    public Outcome read(ReadResource read) {
        if (read.address().isAccount()) {
            return new Outcome(new Answer.Account(), Bill.NOTHING, Facts.NONE);
        }
        var resource = catalog.resolve(read.address());
        if (read.precondition().ifNoneMatch().filter(resource.etag()::equals).isPresent()) {
            return new Outcome(new Answer.NotModified(), Bill.METADATA, facts(resource));
        }
        if (resource.kind() == ResourceKind.OFFER) {
            return offers.read(resource, Change.READ);
        }
        var outcome = answer(Change.READ, resource, read.tokenSeconds());
        return catalog.findContainer(resource.rid())
                .filter(container -> read.quota())
                .map(container -> new Outcome(
                        outcome.answer(),
                        outcome.bill(),
                        outcome.facts()
                                .withExtent(new Extent(
                                        Optional.of(usage(container)), Optional.of(rebuild.percent(container))))))
                .orElse(outcome);
    }

    private Usage usage(Container container) {
        var contents = census.contents(container);
        return new Usage(
                contents.items(),
                contents.itemBytes(),
                Optional.of(new ScriptCounts(
                        count(container, ResourceKind.STORED_PROCEDURE),
                        count(container, ResourceKind.TRIGGER),
                        count(container, ResourceKind.USER_DEFINED_FUNCTION))));
    }

    private int count(Container container, ResourceKind kind) {
        return catalog.list(Optional.of(container.rid()), kind).size();
    }

    public Outcome list(ListResources list) {
        var parent = catalog.resolveParent(list.parent());
        return feeds.list(
                list.kind(), ownerRid(parent), presented(parent, list.kind()), list.page(), feedFacts(parent));
    }

    public Outcome query(QueryResources query) {
        var parent = catalog.resolveParent(query.parent());
        return feeds.query(
                query.kind(),
                ownerRid(parent),
                presented(parent, query.kind()),
                query.query(),
                query.page(),
                feedFacts(parent));
    }

    private List<Obj> presented(Optional<Rid> parent, ResourceKind kind) {
        return catalog.list(parent, kind).stream()
                .map(resource ->
                        kind == ResourceKind.OFFER ? offers.presented(resource) : access.presented(resource, 0))
                .toList();
    }

    public Outcome readRanges(ReadRanges read) {
        return RangeFeed.read(catalog.resolveContainer(read.container()), read.since());
    }

    // ---- replace and delete ----

    public Outcome replace(ReplaceResource replace) {
        if (replace.address().last().kind() == ResourceKind.OFFER) {
            return offers.replace(replace);
        }
        var body = body(replace.body());
        demandReadable(replace.address().last().kind(), body);
        var resource = catalog.change(edit -> {
            var current = catalog.resolve(replace.address());
            Preconditions.demand(replace.precondition(), current);
            return replace(edit, current, body);
        });
        rebuild.startDue();
        return answer(Change.REPLACED, resource, replace.tokenSeconds());
    }

    private Resource replace(Catalog.Edit edit, Resource current, Obj body) {
        if (current.kind() == ResourceKind.CONTAINER) {
            return replaceContainer(edit, edit.findContainer(current.rid()).orElseThrow(), body);
        }
        var definition = definition(current.kind(), body);
        if (definition instanceof DatabaseDefinition) {
            throw new FailureException(new Failure.MethodNotAllowed("A database cannot be replaced."));
        }
        if (definition instanceof PermissionDefinition permission) {
            access.demandTarget(permission);
        }
        var holder = edit.find(current.parent(), current.kind(), definition.id());
        if (holder.isPresent() && !holder.get().rid().equals(current.rid())) {
            throw new FailureException(
                    new Failure.Conflict("The id '" + definition.id() + "' is taken by another resource."));
        }
        var resource = resource(edit, current.kind(), current.rid(), current.parent(), definition);
        edit.remove(current);
        edit.put(resource);
        return resource;
    }

    private Resource replaceContainer(Catalog.Edit edit, Container container, Obj body) {
        var definition = demandGoodQueries(container.definition().replaceWith(body));
        var resource = resource(
                edit,
                ResourceKind.CONTAINER,
                container.rid(),
                container.resource().parent(),
                definition);
        edit.put(Redefinition.of(container, resource, definition, container.ranges()));
        return resource;
    }

    public Outcome delete(DeleteResource delete) {
        var doomedContainers = new ArrayList<Container>();
        var resource = catalog.change(edit -> {
            var current = catalog.resolve(delete.address());
            Preconditions.demand(delete.precondition(), current);
            if (current.kind() == ResourceKind.OFFER) {
                throw new FailureException(
                        new Failure.MethodNotAllowed("An offer goes away with the resource it is for."));
            }
            ViewRules.demandNoViews(edit, current);
            for (var doomed : edit.subtree(current)) {
                edit.findContainer(doomed.rid()).ifPresent(doomedContainers::add);
                offers.removeFor(edit, doomed.rid());
                edit.remove(doomed);
            }
            return current;
        });
        // The items follow after the name is gone. Should the process end in between, the next start drops them.
        for (var container : doomedContainers) {
            container.ranges().live().forEach(range -> partitions.drop(container.number(), range.id()));
        }
        return new Outcome(new Answer.Deleted(), Bill.METADATA, facts(resource));
    }

    // ---- answers ----

    private Outcome answer(Change change, Resource resource, int tokenSeconds) {
        var json = JsonWriter.bytes(presented(resource, tokenSeconds));
        var facts = resource.kind() == ResourceKind.CONTAINER
                ? facts(resource).withExtent(new Extent(Optional.empty(), Optional.of(indexPercent(resource))))
                : facts(resource);
        return new Outcome(new Answer.Resource(change, ByteBuffer.wrap(json)), Bill.METADATA, facts);
    }

    private Obj presented(Resource resource, int tokenSeconds) {
        var json = access.presented(resource, tokenSeconds);
        return catalog.findContainer(resource.rid())
                .filter(container -> container.definition().view().isPresent())
                .map(view -> ViewDefinition.withStatus(json, views.isBuilt(view)))
                .orElse(json);
    }

    private int indexPercent(Resource container) {
        return catalog.findContainer(container.rid()).map(rebuild::percent).orElse(0);
    }

    private Facts facts(Resource resource) {
        return Facts.ofResource(Optional.of(resource.etag()), owner(resource.parent()));
    }

    private Facts feedFacts(Optional<Rid> parent) {
        return Facts.ofResource(Optional.empty(), owner(parent));
    }

    private Optional<Owner> owner(Optional<Rid> parent) {
        return parent.flatMap(catalog::find)
                .map(above -> new Owner(catalog.path(above), above.rid().toString()));
    }

    private static String ownerRid(Optional<Rid> parent) {
        return parent.map(Rid::toString).orElse("");
    }

    private long nowSecond() {
        return clock.instant().getEpochSecond();
    }
}
