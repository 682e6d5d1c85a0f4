package dev.orrery.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.Failure;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a script does, it ends, leaves nothing behind, and keeps nobody else waiting. */
class ScriptBoundsTest {
    private static ScriptedDatabase database;

    @BeforeAll
    static void open() {
        database = new ScriptedDatabase();
        database.createItem("p", "{\"id\":\"i\",\"pk\":\"p\"}");
        database.result("function () {}");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @AfterEach
    void holdTime() {
        database.time().hold();
    }

    @Test
    void aLoopIsEndedAndOthersGoOnMeanwhile() {
        database.procedure(
                "loop", "function () { __.createDocument(__.getSelfLink(), { id: 'x', pk: 'loops' }); for (;;) {} }");
        database.procedure("quick", "function () { __.response.setBody(1); }");
        var loops = IntStream.range(0, 3)
                .mapToObj(number -> database.begin(ScriptedDatabase.call("loop", "loops" + number, "[]")))
                .toList();
        assertThat(ScriptedDatabase.json(database.run("quick", "p", "[]"))).isEqualTo("1");
        assertThat(database.item("p", "i")).isPresent();
        assertThat(loops).noneMatch(CompletableFuture::isDone);
        database.time().hurry();
        for (var loop : loops) {
            assertThat(ScriptedDatabase.failure(loop.join())).isInstanceOf(Failure.Timeout.class);
        }
        assertThat(database.item("loops", "x")).isEmpty();
    }

    @Test
    void aLoopDoesNotKeepScriptsOfItsOwnPartitionWaiting() {
        database.procedure("loop here", "function () { for (;;) {} }");
        database.procedure("quick here", "function () { __.response.setBody(1); }");
        var loop = database.begin(ScriptedDatabase.call("loop here", "p", "[]"));
        assertThat(ScriptedDatabase.json(database.run("quick here", "p", "[]"))).isEqualTo("1");
        assertThat(loop).isNotDone();
        database.time().hurry();
        assertThat(ScriptedDatabase.failure(loop.join())).isInstanceOf(Failure.Timeout.class);
    }

    @Test
    void anErrorThatNeverSaysWhatItIsIsEnded() {
        database.time().hurry();
        assertThat(database.refusal("function () { const e = new Error('a'); e.toString = () => { for (;;) {} };"
                        + " Object.defineProperty(e, 'message', { get() { for (;;) {} } }); throw e; }"))
                .isInstanceOfAny(Failure.Timeout.class, Failure.ScriptFailed.class);
    }

    /** At the end of its stack a script could not be ended: none may go on there. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "function f() { f(); } f();",
                "function f() { try { f(); } finally { f(); } } f();",
                "function f() { for (;;) { try { f(); } catch { f(); } } } f();",
                "async function f() { f(); f(); } f();",
                "const o = { get x() { return f(); } }; async function f(a = o.x, b = o.x) { return o.x, o.x; } f();",
                "const all = { [Symbol.iterator]: () => ({ next: () => ({ value: 1 }), return: f }) };"
                        + " function f() { for (const one of all) f(); } f();",
                "function f() { try { [1, 2].forEach(f); } catch { f(); } } f();"
            })
    void aScriptThatGoesOnAtTheEndOfItsStackIsEnded(String body) {
        assertThat(database.refusal("function () { " + body + " }"))
                .isInstanceOfSatisfying(
                        Failure.ScriptFailed.class,
                        failed -> assertThat(failed.toString()).contains("Maximum call stack size"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "const kept = []; for (;;) kept.push(new Array(1000).fill(kept.length));",
                "const kept = {}; for (let i = 0; ; i++) kept['key' + i] = 'value' + i;",
                "const kept = []; for (;;) kept.push(new Uint8Array(1e6));"
            })
    void aMemoryBombIsDefused(String bomb) {
        database.time().flow();
        assertThat(database.refusal("function () { " + bomb + " }"))
                .isInstanceOfAny(Failure.ScriptFailed.class, Failure.Timeout.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "new ArrayBuffer(2 ** 31 - 1)",
                "new Float64Array(1e9)",
                "Uint8Array.from({ length: 2e9 })",
                "new (new Uint8Array(1).constructor)(1e9)",
                "'x'.repeat(2 ** 28)",
                "'x'.padEnd(2 ** 28)",
                "Array.from({ length: 1e9 }).length && new Array(1e9).fill(1)",
                "[].indexOf.call({ length: 2 ** 52 }, 1)",
                "[].sort.call({ length: 2 ** 31 })",
                "(function again() { again(); })()",
                "JSON.parse('['.repeat(1e6))"
            })
    void whatIsTooBigThrows(String expression) {
        database.time().flow();
        assertThat(database.refusal("function () { " + expression + "; }"))
                .isInstanceOfAny(Failure.ScriptFailed.class, Failure.Timeout.class);
    }

    @Test
    void aRegularExpressionCannotRunForEver() {
        database.time().hurry();
        assertThat(database.refusal("function () { for (;;) /(a*)*\\1b/.test('a'.repeat(30000)); }"))
                .isInstanceOf(Failure.Timeout.class);
    }

    @Test
    void endlessPromisesEnd() {
        database.time().hurry();
        assertThat(database.refusal("async function () { for (;;) await null; }"))
                .isInstanceOf(Failure.Timeout.class);
    }

    @Test
    void aScriptThatSpreadsItsWorkIsToldToStopInTime() {
        database.time().step(1);
        var result = database.result("""
            function () {
                const link = __.getAltLink() + '/docs/i';
                let calls = 0;
                (function next() {
                    if (!__.readDocument(link, () => { calls++; next(); })) {
                        __.response.setBody({ calls, continuation: true });
                    }
                })();
            }\
            """);
        assertThat(result).contains("\"continuation\":true");
    }

    @Test
    void tooMuchToWriteIsNotAccepted() {
        assertThat(database.result("""
            function () {
                const text = 'x'.repeat(1_000_000);
                let n = 0;
                while (__.upsertDocument(__.getSelfLink(), { id: 'large' + n, pk: 'p', text }) && n < 100) n++;
                __.response.setBody(n < 100);
            }\
            """)).isEqualTo("true");
    }

    @Test
    void responsesAndLogsHaveASize() {
        assertThat(((Failure.ScriptFailed)
                                database.refusal("function () { __.response.setBody('x'.repeat(5_000_000)); }"))
                        .code())
                .isEqualTo(413);
        assertThat(((Failure.ScriptFailed) database.refusal(
                                "function () { for (let i = 0; i < 10000; i++) console.log('word'); }"))
                        .code())
                .isEqualTo(413);
    }

    @Test
    void nothingOfTheHostIsInReach() {
        assertThat(database.result("""
            function () {
                const names = ['Java', 'Polyglot', 'Packages', 'Graal', 'load', 'loadWithNewGlobal', 'print', 'quit',
                    'exit', 'require', 'process', 'java', 'javax', 'importScripts', 'fetch', 'WebAssembly',
                    'SharedArrayBuffer', 'setTimeout', 'host'];
                __.response.setBody(names.filter(name => typeof globalThis[name] !== 'undefined'));
            }\
            """)).isEqualTo("[]");
        assertThat(database.refusal("async function () { await import('fs'); }"))
                .isInstanceOf(Failure.ScriptFailed.class);
    }

    @Test
    void globalsAndChangedPrototypesDoNotReachTheNextRun() {
        database.procedure("leak", """
            function () {
                const seen = [typeof leaked, typeof [].leaked, typeof Math.leaked, JSON.stringify.name, typeof main.count,
                    typeof {}.leaked, typeof __.leaked, typeof getContext.leaked];
                leaked = 1;
                Array.prototype.leaked = 1;
                Object.prototype.leaked = 1;
                Math.leaked = 1;
                JSON.stringify = function broken() { return '"broken"'; };
                Array.prototype.map = Promise.prototype.then = String.prototype.slice = () => { throw 'broken'; };
                __.leaked = getContext.leaked = 1;
                function main() {}
                main.count = 1;
                __.response.setBody(seen.join());
            }\
            """);
        var clean = "\"undefined,undefined,undefined,stringify,undefined,undefined,undefined,undefined\"";
        for (int time = 0; time < 5; time++) {
            assertThat(ScriptedDatabase.json(database.run("leak", "p", "[]"))).isEqualTo(clean);
        }
    }

    @Test
    void aStateInTheBodyIsThatOfOneRun() {
        database.procedure("closure", """
            let calls = 0;
            function main() { __.response.setBody([++calls, (main.calls = (main.calls ?? 0) + 1)]); }\
            """);
        for (int time = 0; time < 5; time++) {
            assertThat(ScriptedDatabase.json(database.run("closure", "p", "[]")))
                    .isEqualTo("[1,1]");
        }
    }

    @Test
    void aBrokenWorldStillSaysWhatWentWrong() {
        var failure = database.refusal("""
            function () {
                JSON.parse = JSON.stringify = () => { throw new Error('gone'); };
                Object.defineProperty(Error.prototype, 'toString', { get() { throw 1; } });
                throw new Error('the reason');
            }\
            """);
        assertThat(failure).isInstanceOf(Failure.ScriptFailed.class);
    }

    @Test
    void manyRunsInOnePartitionLoseNothing() {
        database.createItem("hot", "{\"id\":\"n\",\"pk\":\"hot\",\"count\":0}");
        database.procedure("count", """
            function () {
                __.readDocument(__.getAltLink() + '/docs/n', (e, doc) => {
                    if (e) throw e;
                    doc.count++;
                    __.replaceDocument(doc._self, doc, e => { if (e) throw e; });
                });
            }\
            """);
        var runs = IntStream.range(0, 100)
                .mapToObj(_ -> database.begin(ScriptedDatabase.call("count", "hot", "[]")))
                .toList();
        long done = runs.stream()
                .map(CompletableFuture::join)
                .filter(outcome -> outcome.answer() instanceof Answer.Executed)
                .count();
        assertThat(done).isEqualTo(100);
        assertThat(database.property("hot", "n", "count").toString()).contains("100");
    }
}
