package dev.orrery.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.OfferDefinition.Migration;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a script may look like, which is decided when it is created or replaced. */
class ScriptBodyTest {
    private static ScriptedDatabase database;

    @BeforeAll
    static void open() {
        database = new ScriptedDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "function () { __.response.setBody('run'); }",
                "function named() { __.response.setBody('run'); }",
                "  \n  function named() { __.response.setBody('run'); } ; ; // the end",
                "function () { __.response.setBody('run'); };\n;",
                "/* one */ function () { __.response.setBody('run'); } // two",
                "async function () { await null; __.response.setBody('run'); }",
                "async function named() { await null; __.response.setBody('run'); }",
                "() => __.response.setBody('run')",
                "async () => { await null; __.response.setBody('run'); }",
                "(function () { __.response.setBody('run'); })",
                "(function () { const word = 'run'; return () => __.response.setBody(word); })()",
                "function main() { help('run'); } function help(word) { __.response.setBody(word); }",
                "'use strict';\nconst word = 'run';\nfunction main() { __.response.setBody(word); }",
                "// function no() {}\nvar word = 'run';\nfunction main() { __.response.setBody(word); }",
            })
    void aBodyIsAFunctionOrSeveralOfWhichTheFirstIsRun(String body) {
        assertThat(database.result(body)).isEqualTo("\"run\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "function ( {                         | Line 1, column 13: Expected ident but found eof",
                "function named() { return ] }        | Line 1, column 27: Expected an operand but found ]",
                "function () {~  if (a) {~  }~        | Line 4, column 1: Expected } but found eof",
                "function f() {~  }~}                 | Line 3, column 1: Expected eof but found }",
                "function f() { let a; let a; }       | Line 1, column 27: Variable \"a\" has already been declared",
                "function f() {~  return 'open;~}     | Line 2, column 16: Missing close quote",
                "async () => { await; }               | Line 1, column 20: Expected an operand but found ;",
                "function f() {~  return /(/; }       | Line 2, column 13: Unterminated group",
                "function f() { } return 1;           | Line 1, column 18: Invalid return statement",
                "function f() {} })(); (function () { | Line 1, column 17: Expected eof but found }",
                "let f = ;                            | Line 1, column 9: Expected an operand but found ;",
                "let f = 5;                           | It must be one function",
                "Math.abs                             | It must be one function",
                "// () => 1                           | It must be one function",
            })
    void whatCannotBeReadIsRefusedWithItsPlace(String body, String reason) {
        var failure =
                ScriptedDatabase.failure(database.offer(ResourceKind.STORED_PROCEDURE, "bad", body.replace('~', '\n')));
        assertThat(failure).isInstanceOf(Failure.ScriptSyntax.class);
        assertThat(failure.message())
                .startsWith("The body of 'bad' cannot be read as a function. " + reason)
                .doesNotContain("\n", "SyntaxError");
    }

    @ParameterizedTest
    @EnumSource(names = {"STORED_PROCEDURE", "USER_DEFINED_FUNCTION"})
    void procedureAndFunctionAreReadWhenTheyAreCreatedAndWhenTheyAreReplaced(ResourceKind kind) {
        assertThat(ScriptedDatabase.failure(database.offer(kind, "s", "function ( {")))
                .isInstanceOf(Failure.ScriptSyntax.class);
        assertThat(database.offer(kind, "s", "function () {}").answer()).isInstanceOf(Answer.Resource.class);

        assertThat(ScriptedDatabase.failure(database.offer(kind, "s", "function ( {")))
                .isInstanceOf(Failure.ScriptSyntax.class);
        var address = ScriptedDatabase.CONTAINER.child(kind, "s");
        var bad = "{\"id\":\"s\",\"body\":\"function ( {\"}";
        var replace = new Operation.ReplaceResource(
                address, bad.getBytes(StandardCharsets.UTF_8), Precondition.NONE, Migration.NONE, 0);
        assertThat(ScriptedDatabase.failure(database.execute(replace))).isInstanceOf(Failure.ScriptSyntax.class);
    }

    @Test
    void readingRunsNothing() {
        database.procedure("loops", "(() => { for (;;); })()");
        database.procedure("leaks", "((globalThis.leaked = 1), function () {})");
        assertThat(database.result("function () { __.response.setBody(typeof leaked); }"))
                .isEqualTo("\"undefined\"");
    }

    @Test
    void whatNestsTooDeeplyIsRefusedAndHarmsNobody() {
        for (var deep : new String[] {
            "(".repeat(100_000) + "1" + ")".repeat(100_000),
            "[".repeat(100_000),
            "!".repeat(500_000) + "1",
            "1" + "+1".repeat(200_000),
            "a" + ".a".repeat(200_000),
            "a?b:".repeat(100_000) + "1",
            "`${".repeat(100_000),
            "(function(){".repeat(20_000) + "})".repeat(20_000),
        }) {
            var failure = ScriptedDatabase.failure(
                    database.offer(ResourceKind.STORED_PROCEDURE, "deep", "function f() { return " + deep + "; }"));
            assertThat(failure).isInstanceOf(Failure.ScriptSyntax.class);
            assertThat(failure.message()).contains("It is nested too deeply.");
        }
        assertThat(database.result("function () { __.response.setBody([1 + 1, `${!1}`, ((2))]); }"))
                .isEqualTo("[2,\"false\",2]");
    }

    /** A look at every character for every other one would take minutes for each, and more than the net allows for all. */
    @Test
    void aBodyThatIsMadeToKeepTheReaderBusyIsAnsweredSoon() {
        int size = Limits.SCRIPT_BODY_CHARACTERS_MAX;
        for (var piece :
                new String[] {"/*", "function ", "async ", "getCollection().", "A[", "=>", "(a=", "'", ";", " "}) {
            for (var start : new String[] {"function", "function ( {", "async"}) {
                var body = start + piece.repeat((size - start.length()) / piece.length());
                assertThat(ScriptedDatabase.failure(database.offer(ResourceKind.STORED_PROCEDURE, "busy", body)))
                        .isInstanceOfAny(Failure.ScriptSyntax.class, Failure.Timeout.class);
            }
        }
    }

    @Test
    void aBodyHasALimit() {
        var comment = "/".repeat(Limits.SCRIPT_BODY_CHARACTERS_MAX);
        assertThat(ScriptedDatabase.failure(
                        database.offer(ResourceKind.USER_DEFINED_FUNCTION, "long", "function () {}" + comment)))
                .isInstanceOf(Failure.TooLarge.class);
    }
}
