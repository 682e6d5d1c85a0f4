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
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;

/** Runs scripts on GraalJS. Nothing of that is loaded before it is prepared, or the first script is expected. */
public final class GraalScripts implements ScriptRunner {
    private static final int TEXTS_MAX = 1_000;

    /** A character of a script becomes many bytes of syntax tree, and all of them may take a part of the heap only. */
    private static final int HEAP_PER_CHARACTER = 256;

    private final Watchdog watchdog;
    private final Realms realms;
    private final Map<String, Kept> texts = new LinkedHashMap<>(16, 0.75f, true);
    private final long charactersMax = Runtime.getRuntime().maxMemory() / HEAP_PER_CHARACTER;
    private long characters;

    private record Kept(ScriptText text, int characters) {}

    /**
     * @param background makes realms ready
     * @param endings waits for scripts that are being ended, and so must have a thread for each, and run none
     */
    public GraalScripts(ScheduledExecutorService timer, Executor background, Executor endings, LongSupplier nanos) {
        this.watchdog = new Watchdog(timer, endings, nanos);
        this.realms = new Realms(background);
    }

    /** Gets ready for a first script in the background: the engine takes as long to load as most servers to start. */
    public void prepare() {
        realms.prepare();
    }

    @Override
    public void expect() {
        realms.fill();
    }

    @Override
    public void check(String name, String body) {
        var realm = realms.take();
        try {
            guarded(realm, () -> ScriptText.read(realm.context(), name, body));
        } finally {
            realms.giveBack(realm);
        }
    }

    @Override
    public ScriptResult run(ScriptCall call, ScriptHost host) {
        var realm = realmFor(call.script());
        try {
            return guarded(
                    realm, () -> realm.run(call, text(realm, call.script()).source(), host));
        } finally {
            realms.giveBack(realm);
        }
    }

    private Realm realmFor(Script script) {
        var realm = realms.take();
        boolean fits = false;
        try {
            fits = !guarded(realm, () -> text(realm, script)).changesRealm();
        } finally {
            if (!fits) {
                realms.giveBack(realm);
            }
        }
        return fits ? realm : realms.takeChangeable();
    }

    private ScriptText text(Realm realm, Script script) {
        synchronized (texts) {
            var known = texts.get(script.version());
            if (known != null) {
                return known.text();
            }
        }
        var read = ScriptText.read(realm.context(), script.name(), script.body());
        keep(script.version(), new Kept(read, script.body().length()));
        return read;
    }

    /** Forgets those that have not been used for longest, where there are too many or too much of them. */
    private void keep(String version, Kept kept) {
        synchronized (texts) {
            var before = texts.put(version, kept);
            characters += kept.characters() - (before == null ? 0 : before.characters());
            var oldest = texts.values().iterator();
            while ((texts.size() > TEXTS_MAX || characters > charactersMax) && oldest.hasNext()) {
                characters -= oldest.next().characters();
                oldest.remove();
            }
        }
    }

    /** Runs something within bounds, and says in words of the database how it ended. */
    private <T> T guarded(Realm realm, Supplier<T> work) {
        var watched = watchdog.watch(realm::kill);
        try {
            var result = work.get();
            watched.close();
            watched.reason().ifPresent(reason -> {
                throw ended(reason);
            });
            return result;
        } catch (PolyglotException problem) {
            if (problem.isResourceExhausted() || problem.isInternalError()) {
                realm.condemn(); // Whatever was being done when memory ended may be half done.
            }
            throw explained(watched, () -> failure(realm, problem));
        } catch (IllegalStateException closed) {
            // What was ended between two calls says so in another way.
            throw explained(watched, () -> closed);
        } finally {
            watched.close();
            if (watched.reason().isPresent()) {
                realm.condemn();
            }
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
                            new Failure.ScriptFailed("The script failed with an error that cannot be told.", 0, "")));
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
                "The script uses more memory than it may, and was ended. Nothing of it was stored.", 0, "");
    }

    private static RuntimeException failure(Realm realm, PolyglotException problem) {
        if (problem.isHostException() && problem.asHostException() instanceof RuntimeException own) {
            return own;
        }
        if (StackGuard.hasEnded(problem)) {
            return new FailureException(new Failure.ScriptFailed(
                    "Encountered exception while executing function. Exception = RangeError: Maximum call stack size"
                            + " exceeded",
                    0,
                    ""));
        }
        if (problem.isResourceExhausted() || problem.isCancelled()) {
            return new FailureException(exhausted());
        }
        if (problem.isGuestException() && problem.getGuestObject() != null) {
            return realm.failed(problem.getGuestObject());
        }
        return problem.isGuestException()
                ? new FailureException(new Failure.ScriptFailed(problem.getMessage(), 0, ""))
                : problem;
    }

    @Override
    public Functions functions() {
        return new OpenFunctions();
    }

    /** The functions of a query share a realm, which is taken when the first of them is called, and is as new for each. */
    private final class OpenFunctions implements Functions {
        private final Map<String, Value> bodies = new HashMap<>();
        private Realm realm;

        @Override
        public JsonValue call(Script function, List<JsonValue> arguments) {
            var sent = JsonWriter.text(new Arr(arguments.stream()
                    .map(argument -> argument.isUndefined() ? JsonValue.NULL : argument)
                    .toList()));
            var missing = IntStream.range(0, arguments.size())
                    .filter(at -> arguments.get(at).isUndefined())
                    .boxed()
                    .toList()
                    .toString();
            if (realm == null) {
                realm = realms.take();
            }
            var text = guarded(realm, () -> text(realm, function));
            return (text.changesRealm() ? callApart(text, sent, missing) : call(function, text, sent, missing))
                    .map(JsonReader::parse)
                    .orElse(JsonValue.UNDEFINED);
        }

        private Optional<String> call(Script function, ScriptText text, String arguments, String missing) {
            try {
                return guarded(realm, () -> {
                    var body = bodies.computeIfAbsent(
                            function.version(), _ -> realm.context().eval(text.source()));
                    return realm.call(body, arguments, missing);
                });
            } finally {
                if (!realm.isReusable()) {
                    close();
                }
            }
        }

        private Optional<String> callApart(ScriptText text, String arguments, String missing) {
            var apart = realms.takeChangeable();
            try {
                return guarded(apart, () -> apart.call(apart.context().eval(text.source()), arguments, missing));
            } finally {
                realms.giveBack(apart);
            }
        }

        @Override
        public void close() {
            if (realm != null) {
                realms.giveBack(realm);
            }
            realm = null;
            bodies.clear();
        }
    }

    @Override
    public void close() {
        realms.close();
    }
}
