package dev.orrery.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Operation.Triggers;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.Failure;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Str;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Triggers run with the writes that name them, in their transaction. */
class TriggerTest {
    private final ScriptedDatabase database = new ScriptedDatabase();

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aPreTriggerChangesWhatIsStored() {
        database.trigger("stamp", "Pre", "Create", """
            function () {
                var request = getContext().getRequest(), item = request.getBody();
                item.operation = request.getOperationType();
                item.n = (item.n || 0) + 1;
                request.setBody(item);
            }\
            """);
        var outcome = create("{\"id\":\"i\",\"pk\":\"p\",\"n\":1}", new Triggers(List.of("stamp"), List.of()));
        assertThat(outcome.facts().etag()).isPresent();
        assertThat(database.property("p", "i", "n")).isEqualTo(new Num(2));
        assertThat(database.property("p", "i", "operation")).isEqualTo(new Str("Create"));
    }

    @Test
    void aPreTriggerHasNoResponseAndItsErrorRefusesTheWrite() {
        database.trigger("picky", "Pre", "All", """
            function () {
                if (getContext().getResponse !== undefined) throw new Error('a response?');
                throw new Error(403, 'not today');
            }\
            """);
        var failure = (Failure.ScriptFailed) ScriptedDatabase.failure(
                create("{\"id\":\"i\",\"pk\":\"p\"}", new Triggers(List.of("picky"), List.of())));
        assertThat(failure.code()).isEqualTo(403);
        assertThat(failure.message()).contains("not today");
        assertThat(database.item("p", "i")).isEmpty();
    }

    @Test
    void aPostTriggerSeesTheResponseAndWritesInTheSameTransaction() {
        database.createItem("p", "{\"id\":\"meta\",\"pk\":\"p\",\"count\":0}");
        database.trigger("counted", "Post", "Create", """
            function () {
                var made = getContext().getResponse().getBody();
                __.readDocument(__.getAltLink() + '/docs/meta', function (e, meta) {
                    meta.count++;
                    meta.last = made.id;
                    __.replaceDocument(meta._self, meta);
                });
            }\
            """);
        var outcome = create("{\"id\":\"i\",\"pk\":\"p\"}", new Triggers(List.of(), List.of("counted")));
        assertThat(outcome.answer()).isInstanceOf(Answer.Resource.class);
        assertThat(database.property("p", "meta", "count")).isEqualTo(new Num(1));
        assertThat(database.property("p", "meta", "last")).isEqualTo(new Str("i"));
    }

    @Test
    void aPostTriggerCanAskWhatTheContainerHolds() {
        database.trigger("asks", "Post", "All", """
            function () {
                var response = getContext().getResponse();
                response.setBody({ may: response.getMaxResourceQuota(), has: response.getResourceQuotaCurrentUsage() });
            }\
            """);
        var outcome = create("{\"id\":\"i\",\"pk\":\"p\"}", new Triggers(List.of(), List.of("asks")));
        var body = StandardCharsets.UTF_8
                .decode(((Answer.Resource) outcome.answer()).json())
                .toString();
        assertThat(body).contains("documentSize=2048;", "documentsCount=");
    }

    @Test
    void anErrorOfAPostTriggerUndoesTheWrite() {
        database.trigger("fails", "Post", "All", "function () { throw new Error('no'); }");
        create("{\"id\":\"i\",\"pk\":\"p\"}", new Triggers(List.of(), List.of("fails")));
        assertThat(database.item("p", "i")).isEmpty();
    }

    @Test
    void theFeedOfTheBlogKeepsTheNewestPostsOnly() {
        database.trigger("truncate", "Post", "All", """
            function truncateFeed() {
                const maxDocs = 3;
                var context = getContext();
                var collection = context.getCollection();
                collection.queryDocuments(collection.getSelfLink(), "SELECT VALUE COUNT(1) FROM f", function (err, results) {
                    if (err) throw err;
                    // The query does not see the item that is being created.
                    processCountResults(results[0] + 1);
                });
                function processCountResults(count) {
                    if (count <= maxDocs) return;
                    collection.queryDocuments(
                        collection.getSelfLink(),
                        `SELECT TOP ${count - maxDocs} * FROM f ORDER BY f.creationDate`,
                        function (err, docs) {
                            if (err) throw err;
                            docs.forEach(doc => {
                                if (!collection.deleteDocument(doc._self)) throw new Error('not accepted');
                            });
                        });
                }
            }\
            """);
        for (int number = 1; number <= 5; number++) {
            create(
                    "{\"id\":\"post" + number + "\",\"pk\":\"p\",\"creationDate\":" + number + "}",
                    new Triggers(List.of(), List.of("truncate")));
        }
        assertThat(database.item("p", "post2")).isEmpty();
        assertThat(database.item("p", "post3")).isPresent();
        assertThat(database.item("p", "post5")).isPresent();
    }

    @Test
    void aTriggerRunsForItsOperationOnly() {
        database.trigger("onReplace", "Pre", "Replace", "function () { throw new Error('ran'); }");
        var named = new Triggers(List.of("onReplace"), List.of());
        assertThat(ScriptedDatabase.failure(create("{\"id\":\"i\",\"pk\":\"p\"}", named))
                        .message())
                .contains("for the operation Replace only");
        var upsert = new ItemWrite.Upsert(bytes("{\"id\":\"i\",\"pk\":\"p\"}"), Precondition.NONE);
        assertThat(database.write("p", upsert, named).answer())
                .as("it may come to a replace, and does not")
                .isInstanceOf(Answer.Resource.class);
        var replace = new ItemWrite.Replace("i", bytes("{\"id\":\"i\",\"pk\":\"p\"}"), Precondition.NONE);
        assertThat(ScriptedDatabase.failure(database.write("p", replace, named)).message())
                .contains("ran");
        assertThat(ScriptedDatabase.failure(database.write("p", upsert, named)).message())
                .contains("ran");
        assertThat(ScriptedDatabase.failure(database.write("p", new ItemWrite.Delete("i", Precondition.NONE), named)))
                .isInstanceOf(Failure.BadRequest.class);
    }

    @Test
    void aBodyThatCannotBeReadIsStoredAndRefusedWhenItIsToRun() {
        database.trigger("never", "Pre", "All", "serverScript() { var x = 10; }");
        assertThat(ScriptedDatabase.failure(
                        create("{\"id\":\"i\",\"pk\":\"p\"}", new Triggers(List.of("never"), List.of()))))
                .isInstanceOf(Failure.ScriptSyntax.class);
        assertThat(database.item("p", "i")).isEmpty();
    }

    @Test
    void whatIsNamedMustBeThereAndOfTheRightType() {
        database.trigger("post", "Post", "All", "function () {}");
        assertThat(ScriptedDatabase.failure(
                        create("{\"id\":\"i\",\"pk\":\"p\"}", new Triggers(List.of("none"), List.of()))))
                .isInstanceOf(Failure.NotFound.class);
        assertThat(ScriptedDatabase.failure(
                        create("{\"id\":\"i\",\"pk\":\"p\"}", new Triggers(List.of("post"), List.of()))))
                .isInstanceOf(Failure.BadRequest.class);
        assertThat(ScriptedDatabase.failure(
                        create("{\"id\":\"i\",\"pk\":\"p\"}", new Triggers(List.of(), List.of("post", "post")))))
                .isInstanceOf(Failure.BadRequest.class);
    }

    private Outcome create(String body, Triggers triggers) {
        return database.write("p", new ItemWrite.Create(bytes(body), Precondition.NONE), triggers);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
