package dev.orrery.engine.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.access.AccessRules.Target;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.ChangeMode;
import dev.orrery.engine.operation.Operation.ChangesWanted;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.OfferDefinition.Migration;
import dev.orrery.model.definition.PermissionDefinition.Mode;
import dev.orrery.model.key.PartitionKey;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class AccessRulesTest {
    private static final Rid DATABASE = Rid.database(1);
    private static final Rid CONTAINER = Rid.container(DATABASE, 2);
    private static final Target HERE = new Target(Optional.of(DATABASE), Optional.of(CONTAINER));
    private static final Target ELSEWHERE = new Target(Optional.of(DATABASE), Optional.of(Rid.container(DATABASE, 3)));

    private static final Address DB = Address.ACCOUNT.child(ResourceKind.DATABASE, "d");
    private static final Address COLL = DB.child(ResourceKind.CONTAINER, "c");
    private static final PartitionKey MINE = PartitionKey.parse("[\"mine\"]");
    private static final PartitionKey THEIRS = PartitionKey.parse("[\"theirs\"]");
    private static final byte[] NO_BODY = {};
    private static final QueryText QUERY = new QueryText(NO_BODY);
    private static final ChangesWanted CHANGES =
            new ChangesWanted(ChangeMode.LATEST_VERSION, Optional.empty(), Optional.empty(), false, false);

    /** Everything one could do with the items of a container, in the partition of one's own. */
    private static Map<String, Operation> onItems(PartitionKey key) {
        var partition = Optional.of(key);
        var scope = new Scope(Optional.empty(), partition, Optional.empty());
        var operations = new LinkedHashMap<String, Operation>();
        operations.put("read", new Operation.ReadItem(COLL, "i", partition, Precondition.NONE));
        operations.put("list", new Operation.ListItems(COLL, scope, Page.FIRST));
        operations.put("changes", new Operation.ReadChanges(COLL, scope, CHANGES, Optional.empty()));
        operations.put("query", new Operation.QueryItems(COLL, scope, QUERY, Page.FIRST, Set.of()));
        operations.put("plan", new Operation.PlanQuery(COLL, partition, QUERY, List.of()));
        operations.put("batch of reads", batch(scope, new BatchAction.Read("i", Precondition.NONE)));
        operations.put("create", write(partition, new ItemWrite.Create(NO_BODY, Precondition.NONE)));
        operations.put("upsert", write(partition, new ItemWrite.Upsert(NO_BODY, Precondition.NONE)));
        operations.put("replace", write(partition, new ItemWrite.Replace("i", NO_BODY, Precondition.NONE)));
        operations.put("delete", write(partition, new ItemWrite.Delete("i", Precondition.NONE)));
        operations.put("delete partition", new Operation.DeletePartition(COLL, key));
        operations.put(
                "batch of writes", batch(scope, new BatchAction.Write(new ItemWrite.Delete("i", Precondition.NONE))));
        return operations;
    }

    private static Operation write(Optional<PartitionKey> partition, ItemWrite write) {
        return new Operation.WriteItem(COLL, partition, write, Triggers.NONE);
    }

    private static Operation batch(Scope scope, BatchAction action) {
        return new Operation.Batch(COLL, scope, List.of(new BatchItem(action, Optional.empty(), false)), true, false);
    }

    /** What no token opens. */
    private static Map<String, Operation> onTheAccount() {
        var operations = new LinkedHashMap<String, Operation>();
        operations.put("create database", create(ResourceKind.DATABASE, Address.ACCOUNT));
        operations.put("list databases", list(ResourceKind.DATABASE, Address.ACCOUNT));
        operations.put("delete database", new Operation.DeleteResource(DB, Precondition.NONE));
        operations.put("create container", create(ResourceKind.CONTAINER, DB));
        operations.put("replace container", replace(COLL));
        operations.put("delete container", new Operation.DeleteResource(COLL, Precondition.NONE));
        operations.put("create user", create(ResourceKind.USER, DB));
        operations.put("list users", list(ResourceKind.USER, DB));
        operations.put("read user", read(DB.child(ResourceKind.USER, "u")));
        operations.put("create permission", create(ResourceKind.PERMISSION, DB.child(ResourceKind.USER, "u")));
        operations.put("read permission", read(DB.child(ResourceKind.USER, "u").child(ResourceKind.PERMISSION, "p")));
        operations.put("list permissions", list(ResourceKind.PERMISSION, DB.child(ResourceKind.USER, "u")));
        operations.put("read offer", read(Address.ACCOUNT.child(ResourceKind.OFFER, "Ab12")));
        operations.put("list offers", list(ResourceKind.OFFER, Address.ACCOUNT));
        operations.put(
                "query offers", new Operation.QueryResources(ResourceKind.OFFER, Address.ACCOUNT, QUERY, Page.FIRST));
        operations.put("replace offer", replace(Address.ACCOUNT.child(ResourceKind.OFFER, "Ab12")));
        operations.put("read encryption key", read(DB.child(ResourceKind.CLIENT_ENCRYPTION_KEY, "k")));
        return operations;
    }

    private static Operation create(ResourceKind kind, Address parent) {
        return new Operation.CreateResource(kind, parent, NO_BODY, false, Optional.empty(), 3600);
    }

    private static Operation read(Address address) {
        return new Operation.ReadResource(address, Precondition.NONE, false, 3600);
    }

    private static Operation list(ResourceKind kind, Address parent) {
        return new Operation.ListResources(kind, parent, Page.FIRST);
    }

    private static Operation replace(Address address) {
        return new Operation.ReplaceResource(address, NO_BODY, Precondition.NONE, Migration.NONE, 3600);
    }

    private static Grant grant(Mode mode) {
        return new Grant(mode, CONTAINER, Optional.empty(), Optional.empty());
    }

    private static Grant onPartition(Mode mode, PartitionKey key) {
        return new Grant(mode, CONTAINER, Optional.empty(), Optional.of(key));
    }

    private static Grant onItem(Mode mode, String id) {
        return new Grant(mode, CONTAINER, Optional.of(new Address.Segment(ResourceKind.ITEM, id)), Optional.empty());
    }

    private static Set<String> open(Grant grant, Map<String, Operation> operations, Target target) {
        return operations.entrySet().stream()
                .filter(entry -> AccessRules.permits(grant, entry.getValue(), target))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    @Test
    void aReadTokenReadsItsContainer() {
        assertThat(open(grant(Mode.READ), onItems(MINE), HERE))
                .containsExactlyInAnyOrder("read", "list", "changes", "query", "plan", "batch of reads");
    }

    @Test
    void anAllTokenWritesItsContainerToo() {
        assertThat(open(grant(Mode.ALL), onItems(MINE), HERE))
                .isEqualTo(onItems(MINE).keySet());
    }

    @Test
    void noTokenOpensAnotherContainerOrOneThatIsNotThere() {
        for (var target : List.of(ELSEWHERE, new Target(Optional.empty(), Optional.empty()))) {
            assertThat(open(grant(Mode.ALL), onItems(MINE), target)).isEmpty();
            assertThat(AccessRules.permits(grant(Mode.ALL), read(COLL), target)).isFalse();
            assertThat(AccessRules.permits(grant(Mode.ALL), new Operation.ReadRanges(COLL, Optional.empty()), target))
                    .isFalse();
        }
    }

    @Test
    void noTokenOpensTheAccountOrChangesAContainer() {
        for (var grant : List.of(
                grant(Mode.ALL),
                onItem(Mode.ALL, "i"),
                onPartition(Mode.ALL, MINE),
                new Grant(Mode.ALL, DATABASE, Optional.empty(), Optional.empty()))) {
            assertThat(open(grant, onTheAccount(), HERE)).isEmpty();
        }
    }

    @Test
    void everyTokenReadsWhatSdksNeedFirst() {
        for (var grant : List.of(grant(Mode.READ), onItem(Mode.READ, "i"), onPartition(Mode.READ, MINE))) {
            assertThat(AccessRules.permits(grant, read(COLL), HERE)).isTrue();
            assertThat(AccessRules.permits(grant, new Operation.ReadRanges(COLL, Optional.empty()), HERE))
                    .isTrue();
            assertThat(AccessRules.permits(grant, read(Address.ACCOUNT), HERE)).isTrue();
        }
    }

    @Test
    void aTokenForAPartitionOpensThatPartitionOnly() {
        assertThat(open(onPartition(Mode.ALL, MINE), onItems(MINE), HERE))
                .isEqualTo(onItems(MINE).keySet());
        assertThat(open(onPartition(Mode.ALL, MINE), onItems(THEIRS), HERE)).isEmpty();
        assertThat(open(onPartition(Mode.READ, MINE), onItems(MINE), HERE)).doesNotContain("create", "delete");
    }

    @Test
    void aTokenForAPartitionNeedsToSeeThePartitionNamed() {
        var grant = onPartition(Mode.ALL, MINE);
        var anywhere = new Scope(Optional.of("0"), Optional.empty(), Optional.empty());

        assertThat(AccessRules.permits(grant, new Operation.ListItems(COLL, anywhere, Page.FIRST), HERE))
                .isFalse();
        assertThat(AccessRules.permits(
                        grant, new Operation.QueryItems(COLL, Scope.ALL, QUERY, Page.FIRST, Set.of()), HERE))
                .isFalse();
        assertThat(AccessRules.permits(
                        grant, new Operation.ReadItem(COLL, "i", Optional.empty(), Precondition.NONE), HERE))
                .isFalse();
        assertThat(AccessRules.permits(grant, new Operation.PlanQuery(COLL, Optional.empty(), QUERY, List.of()), HERE))
                .isTrue();
    }

    @Test
    void everyEntryOfABulkMustStayInThePartition() {
        assertThat(AccessRules.permits(onPartition(Mode.ALL, MINE), bulk(MINE, MINE), HERE))
                .isTrue();
        assertThat(AccessRules.permits(onPartition(Mode.ALL, MINE), bulk(MINE, THEIRS), HERE))
                .isFalse();
        assertThat(AccessRules.permits(grant(Mode.ALL), bulk(MINE, THEIRS), HERE))
                .isTrue();
    }

    private static Operation bulk(PartitionKey... keys) {
        var items = Arrays.stream(keys)
                .map(key -> new BatchItem(
                        new BatchAction.Write(new ItemWrite.Delete("i", Precondition.NONE)), Optional.of(key), false))
                .toList();
        var range = new Scope(Optional.of("0"), Optional.empty(), Optional.empty());
        return new Operation.Batch(COLL, range, items, false, true);
    }

    @Test
    void aTokenForTheBeginningOfAKeyOpensAllThatBeginWithIt() {
        var tenant = PartitionKey.parse("[\"t\"]");
        var user = PartitionKey.parse("[\"t\",\"u\"]");

        assertThat(open(onPartition(Mode.READ, tenant), onItems(user), HERE)).contains("read", "query");
        assertThat(open(onPartition(Mode.READ, user), onItems(tenant), HERE)).isEmpty();
    }

    @Test
    void aTokenForAnItemOpensThatItemOnly() {
        assertThat(open(onItem(Mode.READ, "i"), onItems(MINE), HERE)).containsExactly("read");
        assertThat(open(onItem(Mode.ALL, "i"), onItems(MINE), HERE))
                .containsExactlyInAnyOrder("read", "replace", "delete");
        assertThat(open(onItem(Mode.ALL, "j"), onItems(MINE), HERE)).isEmpty();
    }

    @Test
    void aTokenForADatabaseOpensAllItsContainers() {
        var grant = new Grant(Mode.ALL, DATABASE, Optional.empty(), Optional.empty());

        assertThat(open(grant, onItems(MINE), HERE)).isEqualTo(onItems(MINE).keySet());
        assertThat(open(grant, onItems(MINE), ELSEWHERE))
                .isEqualTo(onItems(MINE).keySet());
        assertThat(AccessRules.permits(grant, read(DB), HERE)).isTrue();
        assertThat(AccessRules.permits(grant, list(ResourceKind.CONTAINER, DB), HERE))
                .isTrue();
        assertThat(AccessRules.permits(grant(Mode.ALL), list(ResourceKind.CONTAINER, DB), HERE))
                .isFalse();
    }

    @Test
    void scriptsLieInTheContainerButInNoPartition() {
        var script = COLL.child(ResourceKind.STORED_PROCEDURE, "s");
        var operations = Map.of(
                "create", create(ResourceKind.STORED_PROCEDURE, COLL),
                "read", read(script),
                "list", list(ResourceKind.STORED_PROCEDURE, COLL),
                "replace", replace(script),
                "delete", new Operation.DeleteResource(script, Precondition.NONE));
        var onScript = new Grant(
                Mode.ALL,
                CONTAINER,
                Optional.of(new Address.Segment(ResourceKind.STORED_PROCEDURE, "s")),
                Optional.empty());

        assertThat(open(grant(Mode.READ), operations, HERE)).containsExactlyInAnyOrder("read", "list");
        assertThat(open(grant(Mode.ALL), operations, HERE)).isEqualTo(operations.keySet());
        assertThat(open(onScript, operations, HERE)).containsExactlyInAnyOrder("read", "replace", "delete");
        assertThat(open(onPartition(Mode.ALL, MINE), operations, HERE)).isEmpty();
        assertThat(open(onItem(Mode.ALL, "s"), operations, HERE)).isEmpty();
    }

    @Test
    void aReadOnlyKeyReadsEverythingButPermissions() {
        var open = onItems(MINE).entrySet().stream()
                .filter(entry -> AccessRules.permitsReader(entry.getValue()))
                .map(Map.Entry::getKey);
        assertThat(open).containsExactlyInAnyOrder("read", "list", "changes", "query", "plan", "batch of reads");

        var openOnTheAccount = onTheAccount().entrySet().stream()
                .filter(entry -> AccessRules.permitsReader(entry.getValue()))
                .map(Map.Entry::getKey);
        assertThat(openOnTheAccount)
                .containsExactlyInAnyOrder(
                        "list databases",
                        "list users",
                        "read user",
                        "read offer",
                        "list offers",
                        "query offers",
                        "read encryption key");
    }
}
