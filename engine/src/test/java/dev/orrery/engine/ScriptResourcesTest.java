package dev.orrery.engine;

import static dev.orrery.engine.TestDatabase.CONTAINER;
import static dev.orrery.engine.TestDatabase.bytes;
import static dev.orrery.engine.TestDatabase.json;
import static dev.orrery.engine.TestDatabase.rows;
import static dev.orrery.engine.TestDatabase.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.ScriptCounts;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.Limits;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.OfferDefinition.Migration;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Stored procedures, triggers and user-defined functions as resources. */
class ScriptResourcesTest {
    private final TestDatabase database = TestDatabase.withContainer();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void eachKindHasItsOwnRidsAndLinks() {
        var procedure = json(create(ResourceKind.STORED_PROCEDURE, "p", ""));
        var trigger =
                json(create(ResourceKind.TRIGGER, "p", ",\"triggerType\":\"pre\",\"triggerOperation\":\"create\""));
        var function = json(create(ResourceKind.USER_DEFINED_FUNCTION, "p", ""));

        assertThat(Rid.parse(text(procedure, "_rid")).kind()).isEqualTo(Rid.Kind.STORED_PROCEDURE);
        assertThat(Rid.parse(text(trigger, "_rid")).kind()).isEqualTo(Rid.Kind.TRIGGER);
        assertThat(Rid.parse(text(function, "_rid")).kind()).isEqualTo(Rid.Kind.USER_DEFINED_FUNCTION);
        assertThat(text(procedure, "_self")).contains("/sprocs/" + text(procedure, "_rid"));
        assertThat(text(trigger, "triggerType")).isEqualTo("Pre");
        assertThat(text(trigger, "triggerOperation")).isEqualTo("Create");
    }

    @Test
    void scriptsAreReplacedListedQueriedAndDeletedAndOutliveARestart() {
        create(ResourceKind.STORED_PROCEDURE, "one", "");
        create(ResourceKind.STORED_PROCEDURE, "two", "");
        var address = CONTAINER.child(ResourceKind.STORED_PROCEDURE, "one");
        database.execute(new Operation.ReplaceResource(
                address, bytes("{\"id\":\"one\",\"body\":\"changed\"}"), Precondition.NONE, Migration.NONE, 0));
        database.reopen();

        var read = json(database.execute(new Operation.ReadResource(address, Precondition.NONE, false, 0)));
        assertThat(text(read, "body")).isEqualTo("changed");
        assertThat(rows(database.execute(
                        new Operation.ListResources(ResourceKind.STORED_PROCEDURE, CONTAINER, Page.FIRST))))
                .hasSize(2);
        var found = rows(database.execute(new Operation.QueryResources(
                ResourceKind.STORED_PROCEDURE,
                CONTAINER,
                new QueryText(bytes("{\"query\":\"SELECT * FROM s WHERE s.id = 'two'\"}")),
                Page.FIRST)));
        assertThat(found)
                .singleElement()
                .satisfies(row -> assertThat(text((Obj) row, "id")).isEqualTo("two"));

        database.execute(new Operation.DeleteResource(address, Precondition.NONE));
        assertThat(failure(database.execute(new Operation.ReadResource(address, Precondition.NONE, false, 0))))
                .isInstanceOf(Failure.NotFound.class);
    }

    @Test
    void aTriggerNeedsToSayWhenItRuns() {
        assertThat(failure(create(ResourceKind.TRIGGER, "t", "")).message()).contains("triggerType");
        assertThat(failure(create(ResourceKind.TRIGGER, "t", ",\"triggerType\":\"Pre\""))
                        .message())
                .contains("triggerOperation");
        assertThat(failure(create(ResourceKind.TRIGGER, "t", ",\"triggerType\":\"Now\",\"triggerOperation\":\"All\""))
                        .message())
                .contains("Pre, Post");
    }

    @Test
    void aContainerHoldsOnlySoManyAndCountsThem() {
        for (int number = 0; number < Limits.USER_DEFINED_FUNCTIONS_MAX; number++) {
            create(ResourceKind.USER_DEFINED_FUNCTION, "f" + number, "");
        }
        assertThat(failure(create(ResourceKind.USER_DEFINED_FUNCTION, "more", "")))
                .isInstanceOf(Failure.Forbidden.class);
        create(ResourceKind.STORED_PROCEDURE, "p", "");

        var usage = database.execute(new Operation.ReadResource(CONTAINER, Precondition.NONE, true, 0))
                .facts()
                .usage()
                .orElseThrow();
        assertThat(usage.scripts()).contains(new ScriptCounts(1, 0, Limits.USER_DEFINED_FUNCTIONS_MAX));
    }

    private Outcome create(ResourceKind kind, String id, String more) {
        return database.create(
                kind, CONTAINER, "{\"id\":\"" + id + "\",\"body\":\"function () {}\"" + more + "}", Optional.empty());
    }

    private static Failure failure(Outcome outcome) {
        return ((Answer.Refused) outcome.answer()).failure();
    }
}
