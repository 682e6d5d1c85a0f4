package dev.orrery.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Page;
import dev.orrery.engine.operation.Operation.QueryText;
import dev.orrery.engine.operation.Operation.QueryWish;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.model.Failure;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** User-defined functions in queries. */
class UserDefinedFunctionTest {
    private static ScriptedDatabase database;

    @BeforeAll
    static void open() {
        database = new ScriptedDatabase();
        database.createItem("p", "{\"id\":\"a\",\"pk\":\"p\",\"income\":10000}");
        database.createItem("p", "{\"id\":\"b\",\"pk\":\"p\",\"income\":500}");
        database.createItem("q", "{\"id\":\"c\",\"pk\":\"q\"}");
        database.function("tax", """
            function tax(income) {
                if (income === undefined) throw new Error('no input');
                return income < 1000 ? income * 0.1 : income * 0.2;
            }\
            """);
        database.function("kind", "function (x) { return x === undefined ? 'undefined' : typeof x; }");
        database.function("nothing", "function () {}");
        database.function("pair", "(a, b) => ({ a, b: [b] })");
        database.function("counter", "function () { n = (typeof n === 'undefined' ? 0 : n) + 1; return n; }");
        database.function("loop", "function () { for (;;) {} }");
        database.function("peek", "function () { return typeof getContext + typeof __; }");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void functionsComputeFilterAndSort() {
        assertThat(rows("SELECT VALUE udf.tax(c.income) FROM c WHERE c.pk = 'p' ORDER BY c.id"))
                .containsExactly("2000", "50");
        assertThat(rows("SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.income) AND udf.tax(c.income) > 100"))
                .containsExactly("\"a\"");
        assertThat(rows("SELECT VALUE SUM(udf.tax(c.income)) FROM c WHERE c.pk = 'p'"))
                .containsExactly("2050");
    }

    @Test
    void undefinedGoesInAndOut() {
        assertThat(rows("SELECT VALUE udf.kind(c.income) FROM c WHERE c.id = 'c'"))
                .containsExactly("\"undefined\"");
        assertThat(rows("SELECT VALUE udf.nothing() FROM c")).isEmpty();
        assertThat(rows("SELECT VALUE udf.pair(1, 'x')")).containsExactly("{\"a\":1,\"b\":[\"x\"]}");
    }

    @Test
    void aFunctionSeesNothingButItsArguments() {
        assertThat(rows("SELECT VALUE udf.peek()")).containsExactly("\"undefinedundefined\"");
    }

    @Test
    void errorsRefuseTheQuery() {
        assertThat(failure("SELECT VALUE udf.tax(c.none) FROM c").message()).contains("no input");
        assertThat(failure("SELECT VALUE udf.unknown(1)")).isInstanceOf(Failure.BadRequest.class);
    }

    @Test
    void nothingIsLeftForTheNextQuery() {
        assertThat(rows("SELECT VALUE udf.counter()")).containsExactly("1");
        assertThat(rows("SELECT VALUE udf.counter()")).containsExactly("1");
    }

    @Test
    void aFunctionThatNeverEndsIsEnded() {
        database.time().hurry();
        assertThat(failure("SELECT VALUE udf.loop()")).isInstanceOf(Failure.Timeout.class);
        database.time().hold();
    }

    @Test
    void proceduresUseThemInTheirQueries() {
        assertThat(database.result("""
            function () {
                __.queryDocuments(__.getSelfLink(), 'SELECT VALUE udf.tax(c.income) FROM c ORDER BY c.id', (e, rows) => {
                    if (e) throw e;
                    __.response.setBody(rows);
                });
            }\
            """)).isEqualTo("[2000,50]");
    }

    private static Outcome query(String text) {
        var body = JsonWriter.bytes(Obj.builder().put("query", text).build());
        return database.execute(new Operation.QueryItems(
                ScriptedDatabase.CONTAINER,
                Scope.ALL,
                new QueryText(body),
                Page.FIRST,
                Set.of(QueryWish.WHOLE_RESULT)));
    }

    private static Failure failure(String text) {
        return ScriptedDatabase.failure(query(text));
    }

    private static List<String> rows(String text) {
        var outcome = query(text);
        if (outcome.answer() instanceof Answer.Refused(var failure)) {
            throw new AssertionError(failure.toString());
        }
        return ((Answer.Feed) outcome.answer())
                .rows().stream()
                        .map(row ->
                                StandardCharsets.UTF_8.decode(row.duplicate()).toString())
                        .toList();
    }
}
