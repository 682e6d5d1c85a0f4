package dev.orrery.script;

import dev.orrery.engine.script.Script;
import dev.orrery.engine.script.ScriptCall;
import dev.orrery.engine.script.ScriptHost;
import dev.orrery.engine.script.ScriptResult;
import dev.orrery.engine.script.ScriptRunner;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonWriter;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;

/** Runs scripts on GraalJS. Nothing of that is loaded before the first script is expected. */
public final class GraalScripts implements ScriptRunner {
    private static final int TEXTS_MAX = 1_000;

    private final Watchdog watchdog;
    private final Realms realms;
    private final Map<String, ScriptText> texts = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ScriptText> eldest) {
            return size() > TEXTS_MAX;
        }
    };

    /** @param background makes realms ready, and waits for scripts that are being ended */
    public GraalScripts(ScheduledExecutorService timer, Executor background, LongSupplier nanos) {
        this.watchdog = new Watchdog(timer, background, nanos);
        this.realms = new Realms(background);
    }

    @Override
    public void expect() {
        realms.fill();
    }

    @Override
    public void check(String name, String body) {
        var realm = realms.takeNew();
        boolean asNew = false;
        try {
            guarded(realm, () -> ScriptText.read(realm.context(), name, body));
            asNew = true;
        } catch (FailureException refused) {
            asNew = refused.failure() instanceof Failure.ScriptSyntax;
            throw refused;
        } finally {
            realms.putBack(realm, asNew);
        }
    }

    @Override
    public ScriptResult run(ScriptCall call, ScriptHost host) {
        var version = call.script().version();
        var realm = realms.take(version);
        boolean again = false;
        try {
            var result = guarded(
                    realm, () -> realm.run(call, text(realm, call.script()).source(), host));
            again = !text(realm, call.script()).minglesWithRealm() && realm.isClean();
            return result;
        } finally {
            if (again) {
                realms.giveBack(version, realm);
            } else {
                realms.discard(realm);
            }
        }
    }

    private ScriptText text(Realm realm, Script script) {
        synchronized (texts) {
            var known = texts.get(script.version());
            if (known != null) {
                return known;
            }
        }
        var read = ScriptText.read(realm.context(), script.name(), script.body());
        synchronized (texts) {
            texts.put(script.version(), read);
        }
        return read;
    }

    /** Runs something within bounds, and says in words of the database how it ended. */
    private <T> T guarded(Realm realm, Supplier<T> work) {
        try (var watched = watchdog.watch(realm::kill)) {
            try {
                return work.get();
            } catch (PolyglotException problem) {
                throw explained(watched, () -> failure(realm, problem));
            } catch (IllegalStateException closed) {
                // What was ended between two calls says so in another way.
                throw explained(watched, () -> closed);
            }
        } finally {
            // Ending a script may interrupt its thread, which serves others afterwards.
            Thread.interrupted();
        }
    }

    /** @param otherwise what it was if nobody has ended the script; asks the script, which may have to be ended now */
    private static RuntimeException explained(Watchdog.Watched watched, Supplier<RuntimeException> otherwise) {
        if (watched.reason().isPresent()) {
            return ended(watched.reason().get());
        }
        try {
            return otherwise.get();
        } catch (PolyglotException | IllegalStateException problem) {
            return watched.reason()
                    .<RuntimeException>map(GraalScripts::ended)
                    .orElseGet(() -> new FailureException(
                            new Failure.ScriptFailed("The script failed with an error that cannot be told.", 0)));
        }
    }

    private static FailureException ended(Watchdog.Reason reason) {
        return new FailureException(
                switch (reason) {
                    case TIME ->
                        new Failure.Timeout("The script ran longer than " + Limits.SCRIPT_MILLIS_MAX / 1_000
                                + " seconds and was ended. Nothing of it was stored.");
                    case MEMORY -> exhausted();
                });
    }

    private static Failure exhausted() {
        return new Failure.ScriptFailed(
                "The script uses more memory than it may, and was ended. Nothing of it was stored.", 0);
    }

    private static RuntimeException failure(Realm realm, PolyglotException problem) {
        if (problem.isHostException() && problem.asHostException() instanceof RuntimeException own) {
            return own;
        }
        if (problem.isResourceExhausted() || problem.isCancelled()) {
            return new FailureException(exhausted());
        }
        if (problem.isGuestException() && problem.getGuestObject() != null) {
            return realm.failed(problem.getGuestObject());
        }
        return problem.isGuestException()
                ? new FailureException(new Failure.ScriptFailed(problem.getMessage(), 0))
                : problem;
    }

    @Override
    public Functions functions() {
        return new OpenFunctions();
    }

    /** All functions of a query share a realm, which is made when the first of them is called. */
    private final class OpenFunctions implements Functions {
        private final Map<String, Value> functions = new HashMap<>();
        private Realm realm;

        @Override
        public JsonValue call(Script function, List<JsonValue> arguments) {
            if (realm == null) {
                realm = realms.takeNew();
            }
            var sent = JsonWriter.text(new Arr(arguments.stream()
                    .map(argument -> argument.isUndefined() ? JsonValue.NULL : argument)
                    .toList()));
            var missing = IntStream.range(0, arguments.size())
                    .filter(at -> arguments.get(at).isUndefined())
                    .boxed()
                    .toList()
                    .toString();
            return guarded(realm, () -> realm.call(callable(function), sent, missing))
                    .map(JsonReader::parse)
                    .orElse(JsonValue.UNDEFINED);
        }

        private Value callable(Script function) {
            return functions.computeIfAbsent(
                    function.version(),
                    _ -> realm.function(text(realm, function).source()));
        }

        @Override
        public void close() {
            if (realm != null) {
                realms.discard(realm);
            }
        }
    }

    @Override
    public void close() {
        realms.close();
    }
}
