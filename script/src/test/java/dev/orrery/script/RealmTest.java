package dev.orrery.script;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.script.Script;
import dev.orrery.engine.script.ScriptCall;
import dev.orrery.engine.script.ScriptHost;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which runs leave a realm as they found it, so that the next one need not wait for another. */
class RealmTest {
    private static final Realms.Workshop WORKSHOP = Realms.Workshop.open();

    @AfterAll
    static void close() {
        WORKSHOP.engine().close(true);
    }

    @Test
    void mostScriptsLeaveTheirRealmClean() {
        try (var realm = new Realm(WORKSHOP)) {
            for (int run = 0; run < 3; run++) {
                run(
                        realm,
                        "function (a) { const seen = [a]; __.mine = 1; __.response.setBody(JSON.stringify(seen)); }");
                assertThat(realm.isClean()).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "leaked = 1",
                "Map = Set",
                "console = {}",
                "delete this.Map",
                "Object['free' + 'ze'](this)",
                "const math = Math; math.leaked = 1",
                "const key = 'proto' + 'type'; Array[key].leaked = 1",
            })
    void aChangedWorldIsNoticed(String change) {
        try (var realm = new Realm(WORKSHOP)) {
            run(realm, "function () { " + change + "; }");
            assertThat(realm.isClean()).isFalse();
        }
    }

    private static void run(Realm realm, String body) {
        var script = new Script("version", "name", body);
        var call = new ScriptCall(
                script, ScriptCall.Role.PROCEDURE, "[1]", "Execute", Optional.of("[1]"), Optional.empty(), false);
        realm.run(call, ScriptText.read(realm.context(), script.name(), body).source(), new Nobody());
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
            return "{}";
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
