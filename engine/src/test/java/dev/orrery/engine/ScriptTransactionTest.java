package dev.orrery.engine;

import static dev.orrery.engine.TestDatabase.CONTAINER;
import static dev.orrery.engine.TestDatabase.bytes;
import static dev.orrery.engine.TestDatabase.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.engine.script.ScriptCall;
import dev.orrery.engine.script.ScriptHost;
import dev.orrery.engine.script.ScriptHost.DocumentLink;
import dev.orrery.engine.script.ScriptResult;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scripts as transactions; what they do is Java here, so that a test can step in at any point. */
class ScriptTransactionTest {
    /** Runs whatever the test has set, in place of JavaScript. */
    private final class JavaScripts implements ScriptRunner {
        @Override
        public void check(String name, String body) {}

        @Override
        public ScriptResult run(ScriptCall call, ScriptHost host) {
            host.begin();
            script.accept(host);
            return new ScriptResult(Optional.empty(), Optional.empty(), "");
        }

        @Override
        public Functions functions() {
            throw new IllegalStateException("no functions here");
        }

        @Override
        public void expect() {}

        @Override
        public void close() {}
    }

    private Consumer<ScriptHost> script = host -> {};
    private final TestDatabase database = TestDatabase.withContainer(new JavaScripts());
    private final AtomicInteger runs = new AtomicInteger();

    @BeforeEach
    void createScript() {
        database.create(
                ResourceKind.STORED_PROCEDURE,
                CONTAINER,
                "{\"id\":\"s\",\"body\":\"function () {}\"}",
                Optional.empty());
        database.createItem("p", "{\"id\":\"n\",\"pk\":\"p\",\"v\":0}");
        database.createItem("q", "{\"id\":\"n\",\"pk\":\"q\",\"v\":0}");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void allWritesGetOneLsn() {
        var outcome = run(host -> {
            perform(host, new ScriptHost.Operation.Create("{\"id\":\"a\",\"pk\":\"p\"}"));
            perform(host, new ScriptHost.Operation.Upsert("{\"id\":\"b\",\"pk\":\"p\"}", ""));
            perform(host, new ScriptHost.Operation.Replace(named("n"), "{\"id\":\"n\",\"pk\":\"p\",\"v\":1}", ""));
            perform(host, new ScriptHost.Operation.Delete(named("b"), ""));
        });
        long lsn = outcome.facts().lsn().orElseThrow();
        assertThat(database.readItem("p", "a").facts().itemLsn()).contains(lsn);
        assertThat(database.readItem("p", "n").facts().itemLsn()).contains(lsn);
        assertThat(database.readItem("p", "b").answer()).isInstanceOf(Answer.Refused.class);
    }

    @Test
    void anItemMayGetAnotherId() {
        run(host -> {
            perform(host, new ScriptHost.Operation.Replace(named("n"), "{\"id\":\"m\",\"pk\":\"p\",\"v\":7}", ""));
            assertThat(status(host, new ScriptHost.Operation.Read(named("n"), "")))
                    .isEqualTo(404);
        });
        assertThat(database.readItem("p", "n").answer()).isInstanceOf(Answer.Refused.class);
        assertThat(json(database.readItem("p", "m")).member("v")).isEqualTo(new Num(7));
    }

    @Test
    void aWriteInBetweenMakesItRunAgainOnWhatThereIsThen() {
        run(host -> {
            int seen = value(perform(host, new ScriptHost.Operation.Read(named("n"), "")));
            if (runs.incrementAndGet() == 1) {
                database.upsertItem("p", "{\"id\":\"n\",\"pk\":\"p\",\"v\":10}");
            }
            perform(
                    host,
                    new ScriptHost.Operation.Replace(
                            named("n"), "{\"id\":\"n\",\"pk\":\"p\",\"v\":" + (seen + 1) + "}", ""));
        });
        assertThat(runs).hasValue(2);
        assertThat(json(database.readItem("p", "n")).member("v")).isEqualTo(new Num(11));
    }

    @Test
    void writesElsewhereDoNotDisturbIt() {
        run(host -> {
            runs.incrementAndGet();
            database.upsertItem("q", "{\"id\":\"n\",\"pk\":\"q\",\"v\":10}");
            perform(host, new ScriptHost.Operation.Create("{\"id\":\"a\",\"pk\":\"p\"}"));
        });
        assertThat(runs).hasValue(1);
        // Numbers drawn for a draft and in the lane meanwhile are all different.
        database.createItem("p", "{\"id\":\"later\",\"pk\":\"p\"}");
        assertThat(json(database.readItem("p", "a")).member("_rid"))
                .isNotEqualTo(json(database.readItem("p", "later")).member("_rid"));
    }

    @Test
    void whoIsAlwaysDisturbedIsToldToTryAgain() {
        var outcome = run(host -> {
            perform(host, new ScriptHost.Operation.Create("{\"id\":\"a\",\"pk\":\"p\"}"));
            database.upsertItem("p", "{\"id\":\"n\",\"pk\":\"p\",\"v\":" + runs.incrementAndGet() + "}");
        });
        assertThat(((Answer.Refused) outcome.answer()).failure()).isInstanceOf(Failure.RetryWith.class);
        assertThat(database.readItem("p", "a").answer()).isInstanceOf(Answer.Refused.class);
    }

    @Test
    void readsSeeOneMomentEvenIfNothingIsWritten() {
        run(host -> {
            int first = value(perform(host, new ScriptHost.Operation.Read(named("n"), "")));
            database.upsertItem("p", "{\"id\":\"n\",\"pk\":\"p\",\"v\":5}");
            assertThat(value(perform(host, new ScriptHost.Operation.Read(named("n"), ""))))
                    .isEqualTo(first);
            var rows = perform(host, new ScriptHost.Operation.Query("{\"query\":\"SELECT VALUE c.v FROM c\"}", 10, ""));
            assertThat(rows.body()).isEqualTo("[" + first + "]");
            runs.incrementAndGet();
        });
        assertThat(runs).hasValue(1);
    }

    @Test
    void aFailureStoresNothing() {
        var outcome = run(host -> {
            perform(host, new ScriptHost.Operation.Create("{\"id\":\"a\",\"pk\":\"p\"}"));
            throw new FailureException(new Failure.ScriptFailed("no", 7, ""));
        });
        assertThat(((Answer.Refused) outcome.answer()).failure()).isEqualTo(new Failure.ScriptFailed("no", 7, ""));
        assertThat(outcome.facts().sessionToken()).isPresent();
        assertThat(database.readItem("p", "a").answer()).isInstanceOf(Answer.Refused.class);
    }

    @Test
    void ruledByTheSameRulesAsSingleWrites() {
        run(host -> {
            assertThat(status(host, new ScriptHost.Operation.Create("{\"id\":\"n\",\"pk\":\"p\"}")))
                    .isEqualTo(409);
            assertThat(status(host, new ScriptHost.Operation.Create("{\"pk\":\"p\"}")))
                    .isEqualTo(400);
            assertThat(status(host, new ScriptHost.Operation.Delete(named("none"), "")))
                    .isEqualTo(404);
            assertThat(status(host, new ScriptHost.Operation.Delete(named("n"), "\"other\"")))
                    .isEqualTo(412);
            assertThat(status(host, new ScriptHost.Operation.Replace(named("n"), "{\"id\":\"n\",\"pk\":\"q\"}", "")))
                    .isEqualTo(400);
            runs.incrementAndGet();
        });
        assertThat(runs).hasValue(1);
    }

    private Outcome run(Consumer<ScriptHost> steps) {
        script = steps;
        return database.execute(
                new Operation.ExecuteProcedure(CONTAINER, "s", Optional.of(TestDatabase.key("p")), bytes("[]"), false));
    }

    private static DocumentLink named(String id) {
        return new DocumentLink(false, id);
    }

    private static int status(ScriptHost host, ScriptHost.Operation operation) {
        return perform(host, operation).status();
    }

    private static ScriptHost.Reply perform(ScriptHost host, ScriptHost.Operation operation) {
        return host.perform(operation).orElseThrow();
    }

    private static int value(ScriptHost.Reply reply) {
        var item = (JsonValue.Obj) JsonReader.parse(reply.body());
        return (int) ((Num) item.member("v")).value();
    }
}
