package dev.orrery.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.Failure;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a stored procedure can do, and what its caller hears of it. */
class StoredProcedureTest {
    private static ScriptedDatabase database;

    @BeforeAll
    static void open() {
        database = new ScriptedDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void seed() {
        database.putItem("p", "{\"id\":\"one\",\"pk\":\"p\",\"n\":1,\"tags\":[\"x\",\"y\"]}");
        database.putItem("p", "{\"id\":\"two\",\"pk\":\"p\",\"n\":2,\"tags\":[\"z\"]}");
        database.putItem("other", "{\"id\":\"three\",\"pk\":\"other\",\"n\":3}");
    }

    // ---- arguments and response ----

    @ParameterizedTest
    @ValueSource(
            strings = {
                "function (a, b) { getContext().getResponse().setBody([b, a]); }",
                "function named(a, b) { getContext().getResponse().setBody([b, a]); };",
                "(a, b) => { __.response.setBody([b, a]); }",
                "async function (a, b) { await null; __.response.setBody([b, a]); }",
                "// says so\nfunction main(a, b) { swap(a, b); }\nfunction swap(a, b) { __.response.setBody([b, a]); }",
                "'use strict'; const reply = __.response; function main(a, b) { reply.setBody([b, a]); }"
            })
    void aBodyIsAFunctionInAnyOfTheUsualForms(String body) {
        assertThat(database.result(body, "[{\"x\":1},\"text\"]")).isEqualTo("[\"text\",{\"x\":1}]");
    }

    @Test
    void aResponseThatIsNotSetIsAnEmptyString() {
        assertThat(database.result("function () {}")).isEqualTo("\"\"");
    }

    @Test
    void aResponseCanBeAppendedTo() {
        assertThat(database.result("function () { var r = __.response; r.appendBody('a'); r.appendBody(1); }"))
                .isEqualTo("\"a1\"");
    }

    @Test
    void theConsoleIsHeardByThoseWhoAsk() {
        database.procedure("talk", "function () { console.log('%s is %s%%', 'x', 5); console.log(' €'); }");
        var executed = (Answer.Executed) database.run("talk", "p", "[]").answer();
        assertThat(executed.log()).contains("x is 5% €");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "function () { console.log('so far'); throw new Error('no further'); }",
                "function () { console.log('so far'); getContext().abort('no further'); }",
                "async function () { console.log('so far'); throw new Error('no further'); }"
            })
    void theConsoleOfOneThatFailsIsHeardAsFarAsItCame(String body) {
        var failure = (Failure.ScriptFailed) database.refusal(body);
        assertThat(failure.message()).contains("no further");
        assertThat(failure.log()).isEqualTo("so far");
        assertThat(((Failure.ScriptFailed) database.refusal("function () { throw new Error('silent'); }")).log())
                .isEmpty();
    }

    // ---- items ----

    @Test
    void itemsAreReadBySelfLinkAndByName() {
        assertThat(database.result("""
            function () {
                var c = getContext().getCollection(), r = getContext().getResponse();
                c.readDocument(c.getAltLink() + '/docs/one', function (e, doc) {
                    if (e) throw e;
                    c.readDocument(doc._self, {}, (e2, same, options) => {
                        r.setBody([doc.n, same.n, options.etag === doc._etag]);
                    });
                });
            }\
            """)).isEqualTo("[1,1,true]");
    }

    @Test
    void callbacksRunAfterTheFunctionThatAskedHasReturned() {
        assertThat(database.result("""
            function () {
                const steps = [];
                const accepted = __.readDocument(__.getAltLink() + '/docs/one', () => {
                    steps.push('callback');
                    __.response.setBody(steps);
                });
                steps.push(accepted);
            }\
            """)).isEqualTo("[true,\"callback\"]");
    }

    @Test
    void writesAreSeenByLinkAndNotByQueries() {
        assertThat(database.result("""
            function () {
                const link = __.getSelfLink();
                __.createDocument(link, { id: 'fresh', pk: 'p', n: 10 }, (e, made) => {
                    if (e) throw e;
                    __.readDocument(made._self, (e, read) => {
                        if (e) throw e;
                        __.queryDocuments(link, "SELECT VALUE COUNT(1) FROM c WHERE c.id = 'fresh'", (e, count) => {
                            __.response.setBody([read.n, count[0]]);
                            __.deleteDocument(read._self);
                        });
                    });
                });
            }\
            """)).isEqualTo("[10,0]");
        assertThat(database.item("p", "fresh")).isEmpty();
    }

    @Test
    void everythingIsStoredWithTheEtagsAndRidsThatTheScriptSaw() {
        var told = database.result("""
            function () {
                __.upsertDocument(__.getSelfLink(), { id: 'kept', pk: 'p' }, (e, made) => {
                    if (e) throw e;
                    made.more = true;
                    __.replaceDocument(made._self, made, { etag: made._etag }, (e, changed) => {
                        if (e) throw e;
                        __.response.setBody([changed._rid, changed._etag, changed._self, changed._ts]);
                    });
                });
            }\
            """);
        var stored = database.item("p", "kept").orElseThrow();
        assertThat(JsonReader.parse(told))
                .isEqualTo(JsonValue.array(
                        stored.member("_rid"), stored.member("_etag"), stored.member("_self"), stored.member("_ts")));
    }

    @Test
    void aDocumentWithoutAnIdGetsOne() {
        assertThat(database.result("""
            function () {
                __.createDocument(__.getSelfLink(), { pk: 'p' }, (e, made) => {
                    __.deleteDocument(made._self);
                    __.response.setBody(/^[0-9a-f]{8}-[0-9a-f]{4}-/.test(made.id));
                });
            }\
            """)).isEqualTo("true");
        assertThat(database.result("""
            function () {
                __.createDocument(__.getSelfLink(), { pk: 'p' }, { disableAutomaticIdGeneration: true }, (e) => {
                    __.response.setBody(e.number);
                });
            }\
            """)).isEqualTo("400");
    }

    @Test
    void queriesTakeParametersAndComeInPages() {
        assertThat(database.result("""
            function () {
                const seen = [];
                (function page(continuation) {
                    __.queryDocuments(
                        __.getSelfLink(),
                        { query: 'SELECT VALUE c.n FROM c WHERE c.n < @max', parameters: [{ name: '@max', value: 9 }] },
                        { pageSize: 1, continuation },
                        (e, rows, options) => {
                            if (e) throw e;
                            seen.push(rows.length);
                            if (options.continuation) page(options.continuation);
                            else __.response.setBody(seen);
                        });
                })();
            }\
            """)).isEqualTo("[1,1]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SELECT * FROM c", "SELECT * FROM c WHERE c.n > 0", "SELECT * FROM c ORDER BY c.n DESC"})
    void whatAScriptHasDeletedIsFoundNoMore(String query) {
        assertThat(database.result("""
            function (query) {
                var deleted = [];
                (function more() {
                    __.queryDocuments(__.getSelfLink(), query, { pageSize: 1 }, function (e, docs) {
                        if (e) throw e;
                        if (docs.length === 0) {
                            __.response.setBody(deleted.sort());
                            return;
                        }
                        __.deleteDocument(docs[0]._self, {}, function (e) {
                            if (e) throw e;
                            deleted.push(docs[0].id);
                            more();
                        });
                    });
                })();
            }\
            """, "[\"" + query + "\"]")).isEqualTo("[\"one\",\"two\"]");
        assertThat(database.item("p", "one")).isEmpty();
        assertThat(database.item("other", "three")).isPresent();
    }

    @Test
    void whatIsDeletedAndMadeAgainIsNotFoundByQueries() {
        assertThat(database.result("""
            function () {
                __.deleteDocument(__.getAltLink() + '/docs/one', () => {
                    __.createDocument(__.getSelfLink(), { id: 'one', pk: 'p', n: 7 }, () => {
                        __.queryDocuments(__.getSelfLink(), 'SELECT VALUE c.n FROM c', (e, rows) => {
                            __.readDocument(__.getAltLink() + '/docs/one', (e, one) => {
                                __.response.setBody([rows, one.n]);
                            });
                        });
                    });
                });
            }\
            """)).isEqualTo("[[2],7]");
    }

    @Test
    void itemsArePatched() {
        assertThat(database.result("""
            function () {
                const link = __.getAltLink() + '/docs/one';
                const steps = [{ op: 'incr', path: '/n', value: 10 }, { op: 'remove', path: '/tags/0' }];
                __.patchDocument(link, steps, (e, doc) => {
                    if (e) throw e;
                    const refused = { condition: 'FROM c WHERE c.n = 1', operations: [{ op: 'set', path: '/n', value: 0 }] };
                    __.patchDocument(link, refused, { etag: doc._etag }, (e) => {
                        __.response.setBody([doc.n, doc.tags, e.number]);
                    });
                });
            }\
            """)).isEqualTo("[11,[\"y\"],412]");
        assertThat(database.property("p", "one", "n")).isEqualTo(new Num(11));
    }

    @Test
    void onlyTheItemsOfThePartitionAreThere() {
        assertThat(database.result("""
            function () {
                __.readDocuments(__.getSelfLink(), (e, docs) => {
                    __.readDocument(__.getAltLink() + '/docs/three', (e) => {
                        __.response.setBody([docs.every(d => d.pk === 'p'), e.number]);
                    });
                });
            }\
            """)).isEqualTo("[true,404]");
    }

    @Test
    void anItemOfAnotherPartitionIsRefused() {
        var failure = (Failure.ScriptFailed)
                database.refusal("function () { __.createDocument(__.getSelfLink(), { id: 'x', pk: 'elsewhere' }); }");
        assertThat(failure.code()).isEqualTo(400);
    }

    @Test
    void anUnchangedItemIsNotReadAgain() {
        assertThat(database.result("""
            function () {
                __.readDocument(__.getAltLink() + '/docs/one', (e, doc) => {
                    __.readDocument(doc._self, { ifNoneMatch: doc._etag }, (e, again, options) => {
                        __.response.setBody([again === undefined, options.notModified]);
                    });
                });
            }\
            """)).isEqualTo("[true,true]");
    }

    @Test
    void wrongLinksAndArgumentsThrowAtOnce() {
        assertThat(database.result("""
            function () {
                const numbers = [];
                for (const wrong of [
                    () => __.readDocument(),
                    () => __.readDocument('nonsense'),
                    () => __.readDocument('dbs/x/colls/y/docs/z'),
                    () => __.queryDocuments(__.getSelfLink(), 5),
                    () => __.createDocument(__.getSelfLink(), 7),
                    () => __.createDocument('dbs/d/colls/other', {}),
                    () => __.readDocument(__.getAltLink() + '/docs/one', 5),
                    () => __.request.setBody(1),
                    () => __.response.setValue('x-new', 1),
                ]) {
                    try { wrong(); numbers.push('none'); } catch (e) { numbers.push(e.number ?? e.message); }
                }
                __.response.setBody(numbers);
            }\
            """))
                .startsWith("[400,400,400,400,400,400,400,")
                .endsWith(",400]");
    }

    @Test
    void attachmentsAreRefusedInTheirCallback() {
        assertThat(database.result("""
            function () {
                __.readAttachments(__.getAltLink() + '/docs/one', (e) => { __.response.setBody(e.number); });
            }\
            """)).isEqualTo("400");
    }

    // ---- chains ----

    @Test
    void chainsFilterMapSortAndFlatten() {
        assertThat(database.result("""
            function () {
                __.chain().filter(d => d.tags).sortByDescending(d => d.n).map(d => d.tags).flatten()
                    .value((e, rows) => { __.response.setBody(rows); });
            }\
            """)).isEqualTo("[\"z\",\"x\",\"y\"]");
        assertThat(database.result("""
            function () {
                __.chain().filter(d => d.tags).sortBy(d => d.n).unwind(d => d.tags, (d, t) => d.n + t)
                    .value({ pageSize: 2 }, (e, rows, options) => __.response.setBody([rows, options.continuation]));
            }\
            """)).isEqualTo("[[\"1x\",\"1y\"],\"2\"]");
        assertThat(database.result("""
            function () {
                const result = __.filter(function (d) { return d.n === 2; }, { pageSize: 5 }, function (e, rows) {
                    __.response.setBody(rows.map(r => r.id));
                });
                if (!result.isAccepted) throw new Error('not accepted');
            }\
            """)).isEqualTo("[\"two\"]");
        assertThat(database.result("function () { __.chain().filter(d => d.n == 1).pluck('id').value(); }"))
                .isEqualTo("\"[\\\"one\\\"]\"");
    }

    // ---- promises ----

    @Test
    void promisesSettleBeforeTheEnd() {
        assertThat(database.result("""
            async function main(id) {
                const read = (link) => new Promise((resolve, reject) => {
                    const ok = __.readDocument(link, (e, doc) => e ? reject(e) : resolve(doc));
                    if (!ok) reject(new Error('not accepted'));
                });
                const docs = await Promise.all(['one', 'two'].map(id => read(`${__.getAltLink()}/docs/${id}`)));
                try { await read(__.getAltLink() + '/docs/none'); } catch (e) { docs.push({ n: e.number }); }
                __.response.setBody(docs.map(d => d.n));
            }\
            """)).isEqualTo("[1,2,404]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "async function () { throw new Error(409, 'late'); }",
                "function () { (async () => { throw new Error(409, 'late'); })(); }",
                "function () { __.readDocument(__.getAltLink() + '/docs/one', async () => { throw new Error(409,"
                        + " 'late'); }); }",
                "function () { Promise.reject(new Error(409, 'late')); }"
            })
    void rejectionsThatNobodyHandlesFailTheScript(String body) {
        var failure = (Failure.ScriptFailed) database.refusal(body);
        assertThat(failure.message()).contains("late");
        assertThat(failure.code()).isEqualTo(409);
    }

    // ---- failures ----

    @Test
    void whatIsThrownReachesTheCallerAndUndoesEverything() {
        var failure = (Failure.ScriptFailed) database.refusal("""
            function fails() {
                __.createDocument(__.getSelfLink(), { id: 'undone', pk: 'p' }, (e) => {
                    if (e) throw e;
                    throw new Error(1234, 'no good');
                });
            }\
            """);
        assertThat(failure.code()).isEqualTo(1234);
        assertThat(failure.message())
                .startsWith("Encountered exception while executing function. Exception = Error: no good")
                .contains("once.js:4")
                .doesNotContain("prelude");
        assertThat(database.item("p", "undone")).isEmpty();
    }

    @Test
    void abortCannotBeCaught() {
        var failure = (Failure.ScriptFailed) database.refusal("""
            function () {
                __.createDocument(__.getSelfLink(), { id: 'undone', pk: 'p' });
                try { getContext().abort(new Error('enough')); } catch (e) { }
                __.createDocument(__.getSelfLink(), { id: 'undone2', pk: 'p' });
            }\
            """);
        assertThat(failure.message()).contains("enough");
        assertThat(database.item("p", "undone")).isEmpty();
        assertThat(database.item("p", "undone2")).isEmpty();
    }

    @Test
    void aRefusalWithoutACallbackFailsTheScriptWithItsNumber() {
        var failure = (Failure.ScriptFailed)
                database.refusal("function () { __.createDocument(__.getSelfLink(), { id: 'one', pk: 'p' }); }");
        assertThat(failure.code()).isEqualTo(409);
        assertThat(failure.message()).contains("{\"Errors\":[");
    }

    @Test
    void aRefusalInACallbackCanBeDealtWith() {
        assertThat(database.result("""
            function () {
                __.createDocument(__.getSelfLink(), { id: 'one', pk: 'p' }, (e) => {
                    __.response.setBody([e.number === ErrorCodes.Conflict, e instanceof Error, typeof e.body]);
                });
            }\
            """)).isEqualTo("[true,true,\"string\"]");
    }

    @Test
    void argumentsMustBeAnArray() {
        database.procedure("plain", "function () {}");
        assertThat(ScriptedDatabase.failure(database.run("plain", "p", "{}"))).isInstanceOf(Failure.BadRequest.class);
        assertThat(ScriptedDatabase.failure(database.run("none", "p", "[]"))).isInstanceOf(Failure.NotFound.class);
        assertThat(ScriptedDatabase.json(database.run("plain", "p", ""))).isEqualTo("\"\"");
    }

    @Test
    void aScriptPaysForWhatItDoes() {
        database.procedure("idle", "function () {}");
        database.procedure("busy", "function () { __.readDocument(__.getAltLink() + '/docs/one'); }");
        assertThat(database.run("busy", "p", "[]").charge())
                .isGreaterThan(database.run("idle", "p", "[]").charge());
    }

    @Test
    void errorsCanBeMadeBothWays() {
        assertThat(database.result("""
            function () {
                class Own extends Error { constructor(m) { super(m); this.name = 'Own'; } }
                const own = new Own('mine'), numbered = new Error(404, 'gone'), plain = new Error('p', { cause: 1 });
                __.response.setBody([own instanceof Own && own instanceof Error, `${own}`, numbered.number,
                    numbered.message, plain.message, plain.cause, Error('x') instanceof Error]);
            }\
            """)).isEqualTo("[true,\"Own: mine\",404,\"gone\",\"p\",1,true]");
    }

    @Test
    void aCounterIsKeptByReadAndReplace() {
        database.procedure("count", """
            function () {
                __.readDocument(__.getAltLink() + '/docs/two', (e, doc) => {
                    doc.count = (doc.count ?? 0) + 1;
                    __.replaceDocument(doc._self, doc);
                });
            }\
            """);
        for (int time = 0; time < 3; time++) {
            assertThat(ScriptedDatabase.json(database.run("count", "p", "[]"))).isEqualTo("\"\"");
        }
        assertThat(database.property("p", "two", "count")).isEqualTo(new Num(3));
    }
}
