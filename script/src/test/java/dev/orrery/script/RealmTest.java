package dev.orrery.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.script.Script;
import dev.orrery.engine.script.ScriptCall;
import dev.orrery.engine.script.ScriptHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.graalvm.polyglot.PolyglotException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a run leaves behind in its realm: nothing that another run could find there. */
class RealmTest {
    private static final Realms.Workshop WORKSHOP = Realms.Workshop.open();
    private static final Realm REALM = new Realm(WORKSHOP, true);

    @AfterAll
    static void close() {
        REALM.close();
        WORKSHOP.engine().close(true);
    }

    @Test
    void whateverARunChangesTheNextOneFindsTheSameWorld() {
        var vandal = resource("vandal.js");
        var first = run(REALM, vandal, "[true]");
        assertThat(first).contains("this.RegExp", "sample 1", "collection.createDocument");
        assertThat(text(REALM, vandal).changesRealm()).isFalse();
        assertThat(REALM.isReusable()).isTrue();
        assertThat(run(REALM, vandal, "[true]")).isEqualTo(first).doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "JSON",
                "Math",
                "JSON.stringify",
                "Array.from",
                "[].values",
                "[][Symbol.iterator]().next",
                "(function* () {})().next",
                "(async function* () {})().next",
                "(async () => {})().then",
                "''.matchAll(/./g).next",
                "new Map().keys().next",
                "Symbol.for('place')",
                "Symbol.iterator",
                "/a/",
                "/a/.exec",
                "RegExp",
                "Error",
                "new Error('x').toString",
                "ErrorCodes",
                "getContext",
                "getContext()",
                "getContext().getCollection()",
                "getContext().getCollection().createDocument",
                "getContext().getCollection().spatial",
                "getContext().getCollection().getPartitionKeyDefinition()",
                "getContext().getCollection().chain",
                "getContext().getCollection().chain().filter",
                "getContext().getRequest()",
                "getContext().getResponse()",
                "getContext().getResponse().setBody",
                "__",
                "__.filter",
                "console",
                "console.log",
                "this",
                "main",
                "(strings => strings)`a${1}b`",
                "(strings => strings.raw)`a`",
                "(class { static {} })",
            })
    void aValueLeftSomewhereIsGoneInTheNextRun(String place) {
        var body = """
            function main() {
                const place = %s;
                const seen = [typeof place.secret, typeof kept, typeof place['__pro' + 'to__']?.secret];
                kept = 1;
                try { place.secret = 1; } catch { }
                try { place['__pro' + 'to__'].secret = 1; } catch { }
                __.response.setBody(seen);
            }\
            """.formatted(place);
        for (int time = 0; time < 3; time++) {
            assertThat(run(REALM, body, "[]")).isEqualTo("[\"undefined\",\"undefined\",\"undefined\"]");
            assertThat(REALM.isReusable()).isTrue();
        }
    }

    @Test
    void neitherARegularExpressionNorAnErrorKeepsWhatItSaw() {
        var body = """
            function () {
                const seen = [RegExp['$1'], RegExp.lastMatch, RegExp.input, typeof Error.prepareStackTrace, Error.stackTraceLimit];
                /(s.cret)/.exec('a secret');
                try { Error.stackTraceLimit = 1; Error.prepareStackTrace = () => 'secret'; } catch { }
                __.response.setBody(seen);
            }\
            """;
        try (var realm = new Realm(WORKSHOP, true)) {
            var first = run(realm, body, "[]");
            assertThat(run(realm, body, "[]")).isEqualTo(first).doesNotContain("secret");
        }
    }

    @Test
    void whatAScriptBeganBeforeItFailedDoesNotReachTheNextRun() {
        try (var realm = new Realm(WORKSHOP, true)) {
            assertThat(failure(
                            realm,
                            "function () { Promise.resolve().then(() => { late = getContext(); }); kept = 1;"
                                    + " throw 7; }"))
                    .contains("7");
            assertThat(realm.isReusable()).isTrue();
            assertThat(run(realm, "function () { __.response.setBody([typeof late, typeof kept]); }", "[]"))
                    .isEqualTo("[\"undefined\",\"undefined\"]");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Object['free' + 'ze'](this)",
                "Object['define' + 'Property'](this, 'leaked', { value: 1 })",
                "Object['set' + 'Prototype' + 'Of'](this, { leaked: 1 })",
            })
    void aRealmThatCannotBeRestoredIsNotUsedAgain(String change) {
        try (var realm = new Realm(WORKSHOP, true)) {
            run(realm, "function () { " + change + "; }", "[]");
            assertThat(realm.isReusable()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Array.prototype.first = 1",
                "Array.prototype['first'] = 1",
                "Object.defineProperty(String.prototype, 'x', { value: 1 })",
                "var above = String.prototype; above.x = 1",
                "Object.assign(Math, { x: 1 })",
                "delete JSON.parse",
                "Date.now = () => 0",
                "TypeError.prototype.x ??= 1",
            })
    void changesOfTheWorldAreSeenComing(String change) {
        assertThat(text(REALM, "function () { " + change + "; }").changesRealm())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "return Array.prototype.slice.call(arguments)",
                "return Object.prototype.hasOwnProperty.call({}, 'a') == Math.max(1, 2)",
                "return Object.assign({}, { a: 1 })",
                "function Own() {} Own.prototype.x = 1; Own.y = 2",
                "if (Math.x === 1 || Number.y == 2) return Date.now() >= 1",
                "class A { constructor() { this.a = 1; } }",
            })
    void usesOfTheWorldAreNotTakenForChanges(String use) {
        assertThat(text(REALM, "function () { " + use + "; }").changesRealm()).isFalse();
    }

    @Test
    void aScriptThatChangesItsWorldOpenlyGetsOneThatNobodyElseSees() {
        var body = "function () { Array.prototype.second = function () { return this[1]; };"
                + " __.response.setBody([1, 2].second()); }";
        try (var realm = new Realm(WORKSHOP, false)) {
            assertThat(text(realm, body).changesRealm()).isTrue();
            assertThat(run(realm, body, "[]")).isEqualTo("2");
            assertThat(realm.isReusable()).isFalse();
        }
    }

    @Test
    void objectsOfAScriptMayHideWhatTheyInherit() {
        var body = """
            function () {
                'use strict';
                class Mine extends Error { constructor(text) { super(text); this.name = 'Mine'; this.message = text + '!'; } }
                const plain = {};
                plain.toString = () => 'plain';
                plain.constructor = 1;
                plain.hasOwnProperty = 2;
                const list = [];
                list.toString = () => 'list';
                function Own() {}
                Own.toString = () => 'own';
                for (var i = 0, text = ''; i < 2; i++) text += i;
                __.response.setBody([`${new Mine('a')}`, `${plain}`, plain.constructor, plain.hasOwnProperty, `${list}`, `${Own}`,
                    text, Object.keys(plain), JSON.stringify({ a: 1 })]);
            }\
            """;
        try (var realm = new Realm(WORKSHOP, true)) {
            assertThat(text(realm, body).changesRealm()).isFalse();
            assertThat(run(realm, body, "[]"))
                    .isEqualTo("[\"Mine: a!\",\"plain\",1,2,\"list\",\"own\",\"01\","
                            + "[\"toString\",\"constructor\",\"hasOwnProperty\"],\"{\\\"a\\\":1}\"]");
        }
    }

    @Test
    void everyCallOfAFunctionIsItsFirst() {
        try (var realm = new Realm(WORKSHOP, true)) {
            for (var body : new String[] {
                "function f() { f.n = (f.n ?? 0) + 1; return f.n; }",
                "var n = 0; function f() { return ++n; }",
                "(() => { let n = 0; return function () { return ++n; }; })()",
                "function () { n = (typeof n === 'undefined' ? 0 : n) + 1; return n; }",
                "function () { console = { n: (console?.n ?? 0) + 1 }; return console.n; }",
                "function () { __ = { n: (__?.n ?? 0) + 1 }; return __.n; }",
            }) {
                var function = realm.context().eval(text(realm, body).source());
                for (int time = 0; time < 3; time++) {
                    assertThat(realm.call(function, "[]", "[]")).as(body).contains("1");
                    assertThat(realm.isReusable()).isTrue();
                }
            }
        }
    }

    private static ScriptText text(Realm realm, String body) {
        return ScriptText.read(realm.context(), "name", body);
    }

    private static String run(Realm realm, String body, String arguments) {
        var call = new ScriptCall(
                new Script("version", "name", body),
                ScriptCall.Role.PROCEDURE,
                arguments,
                "Execute",
                Optional.of(arguments),
                Optional.empty(),
                true);
        return realm.run(call, text(realm, body).source(), new Nobody())
                .response()
                .orElseThrow();
    }

    private static String failure(Realm realm, String body) {
        try {
            return run(realm, body, "[]");
        } catch (PolyglotException thrown) {
            return realm.failed(thrown.getGuestObject()).failure().message();
        }
    }

    private static String resource(String name) {
        try (var stream = RealmTest.class.getResourceAsStream(name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Has nothing to offer. */
    private static final class Nobody implements ScriptHost {
        @Override
        public void begin() {}

        @Override
        public String selfLink() {
            return "dbs/AAAAAA==/colls/AAAAAAAAAAA=/";
        }

        @Override
        public String altLink() {
            return "dbs/d/colls/c";
        }

        @Override
        public String partitionKeyDefinition() {
            return "{\"paths\":[\"/pk\"]}";
        }

        @Override
        public String quota() {
            return "";
        }

        @Override
        public String usage() {
            return "";
        }

        @Override
        public Optional<Reply> perform(Operation operation) {
            return Optional.empty();
        }
    }
}
