package dev.orrery.engine.access;

import static dev.orrery.engine.TestDatabase.CONTAINER;
import static dev.orrery.engine.TestDatabase.DATABASE;
import static dev.orrery.engine.TestDatabase.bytes;
import static dev.orrery.engine.TestDatabase.json;
import static dev.orrery.engine.TestDatabase.key;
import static dev.orrery.engine.TestDatabase.rows;
import static dev.orrery.engine.TestDatabase.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.Principal;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.definition.OfferDefinition.Migration;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Permissions from the one who gives them to the one who uses their tokens. */
class AccessTest {
    private static final Address USER = DATABASE.child(ResourceKind.USER, "u");
    private static final Address PERMISSION = USER.child(ResourceKind.PERMISSION, "p");
    private static final Operation READ_PERMISSION =
            new Operation.ReadResource(PERMISSION, Precondition.NONE, false, 0);
    private static final Operation READ = read("mine", "1");
    private static final Operation CREATE = new Operation.WriteItem(
            CONTAINER,
            Optional.of(key("mine")),
            new ItemWrite.Create(bytes("{\"id\":\"new\",\"pk\":\"mine\"}"), Precondition.NONE),
            Triggers.NONE);

    private final TestDatabase database = TestDatabase.withContainer();

    private static Operation read(String partition, String id) {
        return new Operation.ReadItem(CONTAINER, id, Optional.of(key(partition)), Precondition.NONE);
    }

    @BeforeEach
    void createUserAndItems() {
        database.create(ResourceKind.USER, DATABASE, "{\"id\":\"u\"}", Optional.empty());
        database.createItem("mine", "{\"id\":\"1\",\"pk\":\"mine\"}");
        database.createItem("theirs", "{\"id\":\"1\",\"pk\":\"theirs\"}");
    }

    @AfterEach
    void close() {
        database.close();
    }

    private String grant(String mode, String resource, String more) {
        return text(json(permit(mode, resource, more, 0)), "_token");
    }

    private Outcome permit(String mode, String resource, String more, int seconds) {
        var body = "{\"id\":\"p\",\"permissionMode\":\"" + mode + "\",\"resource\":\"" + resource + "\"" + more + "}";
        return database.execute(new Operation.CreateResource(
                ResourceKind.PERMISSION, USER, bytes(body), true, Optional.empty(), seconds));
    }

    private Outcome as(String token, Operation operation) {
        return as(new Principal.TokenHolder(token), operation);
    }

    private Outcome as(Principal principal, Operation operation) {
        return database.execute(operation, Caller.of(principal));
    }

    private static void assertDone(Outcome outcome) {
        assertThat(outcome.answer()).isNotInstanceOf(Answer.Refused.class);
    }

    private static void assertForbidden(Outcome outcome, String message) {
        assertThat(failure(outcome)).isInstanceOf(Failure.Forbidden.class);
        assertThat(failure(outcome).message()).contains(message);
    }

    private static Failure failure(Outcome outcome) {
        assertThat(outcome.answer()).isInstanceOf(Answer.Refused.class);
        return ((Answer.Refused) outcome.answer()).failure();
    }

    @Test
    void aReadTokenReadsAndDoesNotWrite() {
        var token = grant("read", "dbs/d/colls/c", "");

        assertDone(as(token, READ));
        assertDone(as(token, new Operation.ListItems(CONTAINER, Scope.ALL, Page.FIRST)));
        assertDone(as(token, new Operation.ReadResource(CONTAINER, Precondition.NONE, false, 0)));
        assertDone(as(token, new Operation.ReadRanges(CONTAINER, Optional.empty())));
        assertForbidden(as(token, CREATE), "does not permit");
    }

    @Test
    void theAccountIsShownToEveryTokenThatHolds() {
        var account = new Operation.ReadResource(Address.ACCOUNT, Precondition.NONE, false, 0);
        assertThat(as(grant("read", "dbs/d/colls/c", ""), account).answer()).isEqualTo(new Answer.Account());
        assertThat(as("type=resource&ver=1&sig=made-up;", account).answer()).isInstanceOf(Answer.Refused.class);
    }

    @Test
    void anAllTokenWritesItemsButNotTheContainer() {
        var token = grant("All", "dbs/d/colls/c", "");

        assertDone(as(token, CREATE));
        assertForbidden(as(token, new Operation.DeleteResource(CONTAINER, Precondition.NONE)), "does not permit");
        assertForbidden(as(token, READ_PERMISSION), "does not permit");
    }

    @Test
    void whatAPermissionTakesBackIsTakenFromItsTokensAtOnce() {
        var token = grant("All", "dbs/d/colls/c", "");
        assertDone(as(token, CREATE));

        permit("Read", "dbs/d/colls/c", "", 0);
        assertForbidden(as(token, CREATE), "does not permit");
        assertDone(as(token, READ));

        permit("All", "dbs/d/colls/c", ",\"resourcePartitionKey\":[\"elsewhere\"]", 0);
        assertForbidden(as(token, READ), "does not permit");

        permit("All", "dbs/d/colls/c", "", 0);
        assertDone(as(token, READ));
    }

    @Test
    void aTokenDoesNotGainWhatItsPermissionGains() {
        var token = grant("Read", "dbs/d/colls/c", "");
        permit("All", "dbs/d/colls/c", "", 0);
        assertForbidden(as(token, CREATE), "does not permit");
        assertDone(as(token, READ));
    }

    @Test
    void aPermissionMayNameItsResourceByRid() {
        var container = json(database.execute(new Operation.ReadResource(CONTAINER, Precondition.NONE, false, 0)));

        assertDone(as(grant("read", text(container, "_self"), ""), READ));
    }

    @Test
    void aTokenForAPartitionOpensNoOther() {
        var token = grant("all", "dbs/d/colls/c", ",\"resourcePartitionKey\":[\"mine\"]");

        assertDone(as(token, READ));
        assertForbidden(as(token, read("theirs", "1")), "does not permit");
    }

    @Test
    void aTokenForAnItemOpensNoOther() {
        var token = grant("read", "dbs/d/colls/c/docs/1", ",\"resourcePartitionKey\":[\"mine\"]");

        assertDone(as(token, READ));
        assertForbidden(as(token, read("mine", "2")), "does not permit");
        assertForbidden(as(token, read("theirs", "1")), "does not permit");
    }

    @Test
    void aTokenOpensItsContainerOnlyAsLongAsThatExists() {
        var token = grant("read", "dbs/d/colls/c", "");
        database.execute(new Operation.DeleteResource(CONTAINER, Precondition.NONE));
        assertForbidden(as(token, READ), "does not permit");

        database.create(
                ResourceKind.CONTAINER,
                DATABASE,
                "{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}",
                Optional.empty());
        assertForbidden(as(token, READ), "does not permit");
    }

    @Test
    void theTokenOfADeletedPermissionOpensNothing() {
        var token = grant("read", "dbs/d/colls/c", "");
        database.execute(new Operation.DeleteResource(PERMISSION, Precondition.NONE));

        assertForbidden(as(token, READ), "The permission of the token has been deleted.");
    }

    @Test
    void tokensSurviveARestartAndEndWithTheirTime() {
        var token = grant("read", "dbs/d/colls/c", "");
        database.reopen();
        database.passSeconds(3599);
        assertDone(as(token, READ));

        database.passSeconds(1);
        assertForbidden(as(token, READ), "The token expired at");
    }

    @Test
    void everyWayToSeeAPermissionGivesAToken() {
        grant("read", "dbs/d/colls/c", "");
        var listed = rows(database.execute(new Operation.ListResources(ResourceKind.PERMISSION, USER, Page.FIRST)));
        var replaced = database.execute(new Operation.ReplaceResource(
                PERMISSION,
                bytes("{\"id\":\"p\",\"permissionMode\":\"all\",\"resource\":\"dbs/d/colls/c\"}"),
                Precondition.NONE,
                Migration.NONE,
                0));

        assertDone(as(text((Obj) listed.getFirst(), "_token"), READ));
        assertDone(as(text(json(replaced), "_token"), CREATE));
        assertDone(as(text(json(database.execute(READ_PERMISSION)), "_token"), READ));
    }

    @Test
    void aPermissionWithoutItsResourceHasNoToken() {
        grant("read", "dbs/d/colls/c", "");
        database.execute(new Operation.DeleteResource(CONTAINER, Precondition.NONE));

        assertThat(json(database.execute(READ_PERMISSION)).member("_token").isUndefined())
                .isTrue();
    }

    @Test
    void aPermissionMayComeBeforeWhatItIsForButNotForAKeyThatCannotBe() {
        assertThat(permit("read", "dbs/d/colls/missing", "", 0).answer()).isInstanceOf(Answer.Resource.class);
        assertThat(failure(permit("read", "dbs/d/colls/c", ",\"resourcePartitionKey\":[1,2]", 0)))
                .isInstanceOf(Failure.PartitionKeyMismatch.class);
    }

    @Test
    void aValidityThatIsNotAllowedLeavesNoPermissionBehind() {
        assertThat(failure(permit("read", "dbs/d/colls/c", "", 5))).isInstanceOf(Failure.BadRequest.class);
        assertThat(failure(database.execute(READ_PERMISSION))).isInstanceOf(Failure.NotFound.class);
    }

    @Test
    void aForgedTokenOpensNothing() {
        assertForbidden(as("type=resource&ver=1&sig=AAAA;AAAA;", READ), "not one that this server has given out");
    }

    @Test
    void aReadOnlyKeyReadsButSeesNoTokens() {
        grant("all", "dbs/d/colls/c", "");
        var reader = new Principal.Reader();

        assertDone(as(reader, READ));
        assertForbidden(as(reader, CREATE), "for reading only");
        assertForbidden(as(reader, READ_PERMISSION), "for reading only");
    }
}
