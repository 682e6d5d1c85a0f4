package dev.orrery.script;

import dev.orrery.engine.script.ScriptCall;
import dev.orrery.engine.script.ScriptCall.Role;
import dev.orrery.engine.script.ScriptHost;
import dev.orrery.engine.script.ScriptHost.DocumentLink;
import dev.orrery.engine.script.ScriptHost.Operation;
import dev.orrery.engine.script.ScriptHost.Reply;
import dev.orrery.engine.script.ScriptResult;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.JsonWriter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/**
 * A world of its own for JavaScript: its globals, the API of scripts, and one function that leads out of it. One that is
 * hardened can be used again and again; another one only for a single run, which may change it as it likes.
 *
 * <p>Statements are not counted: that costs a short script as much as it does itself, and time bounds them as well.
 */
final class Realm implements AutoCloseable {
    /** Lines of stack traces that tell of our own scripts, which are nobody's business. */
    private static final Pattern OWN_LINE = Pattern.compile("\\b(prelude|chains|bounds|harden)\\.js:");

    private static final int RUNS_MAX = 100_000;
    private static final int DELETED_STATUS = 204;
    private static final int NOT_MODIFIED_STATUS = 304;
    private static final int REFUSED_STATUS = 400;

    private final Context context;
    private final Value prepare;
    private final Value start;
    private final Value next;
    private final Value describe;
    private final Value aborted;
    private final Value requestBody;
    private final Value responseBody;
    private final Value log;
    private final Value call;
    private final Optional<Value> restore;
    private ScriptHost host;
    private int runs;
    private boolean reusable;

    /** Whether somebody wants to know what the script says to its console. */
    private boolean logs;

    Realm(Realms.Workshop workshop, boolean hardened) {
        context = Context.newBuilder("js")
                .engine(workshop.engine())
                .allowHostAccess(HostAccess.NONE)
                .allowExperimentalOptions(true)
                // A power of two big integers takes as long as it takes, and nothing can end it.
                .option("js.bigint", "false")
                .option("js.console", "false")
                .option("js.graal-builtin", "false")
                .option("js.load", "false")
                .option("js.polyglot-builtin", "false")
                .option("js.print", "false")
                .option("js.regexp-static-result", "false")
                .option("js.shared-array-buffer", "false")
                .option("js.string-length-limit", Integer.toString(Limits.SCRIPT_STRING_CHARACTERS_MAX))
                .option("js.unhandled-rejections", "throw")
                .build();
        context.eval(workshop.bounds()).executeVoid();
        var api = context.eval(workshop.prelude())
                .execute((ProxyExecutable) this::perform, context.eval(workshop.chains()));
        prepare = api.getMember("prepare");
        start = api.getMember("start");
        next = api.getMember("next");
        describe = api.getMember("describe");
        aborted = api.getMember("aborted");
        requestBody = api.getMember("requestBody");
        responseBody = api.getMember("responseBody");
        log = api.getMember("log");
        call = api.getMember("call");
        restore = hardened
                ? Optional.of(context.eval(workshop.harden()).execute(api.getMember("shared"), api.getMember("forget")))
                : Optional.empty();
        reusable = hardened;
    }

    Context context() {
        return context;
    }

    /** Runs a script, then whatever waits for its turn, until all is quiet. */
    ScriptResult run(ScriptCall scriptCall, Source text, ScriptHost scriptHost) {
        reusable = false;
        logs = scriptCall.logs();
        host = scriptHost;
        host.begin();
        prepare.execute(
                settings(scriptHost),
                scriptCall.role().name().toLowerCase(Locale.ROOT),
                scriptCall.operation(),
                scriptCall.request().orElse(null),
                scriptCall.response().orElse(null),
                scriptCall.logs());
        start.execute(context.eval(text), scriptCall.arguments());
        while (next.execute().asBoolean()) {
            // Each callback is a turn of its own, so that promises settle in between.
        }
        var failure = aborted.execute();
        if (!failure.isNull()) {
            var failed = failed(failure.asString(), said());
            comeToRest();
            throw failed;
        }
        var result = new ScriptResult(
                scriptCall.role() == Role.BEFORE ? text(requestBody) : scriptCall.request(),
                text(responseBody),
                said());
        comeToRest();
        return result;
    }

    /** What the script has said so far. */
    private String said() {
        return logs ? log.execute().asString() : "";
    }

    private static Optional<String> text(Value function) {
        var value = function.execute();
        return value.isNull() ? Optional.empty() : Optional.of(value.asString());
    }

    private static String settings(ScriptHost host) {
        return JsonWriter.text(Obj.builder()
                .put("selfLink", host.selfLink())
                .put("altLink", host.altLink())
                .put("partitionKey", host.partitionKeyDefinition())
                .put("requestMax", Limits.ITEM_BYTES_MAX)
                .put("responseMax", Limits.SCRIPT_RESPONSE_CHARACTERS_MAX)
                .put("logMax", Limits.SCRIPT_LOG_CHARACTERS_MAX)
                .build());
    }

    /** Makes it ready for another run, which will find nothing of those before it. */
    private void comeToRest() {
        host = null;
        reusable = ++runs < RUNS_MAX
                && restore.map(function -> function.execute().asBoolean()).orElse(false);
    }

    /** Whether another script may run here. */
    boolean isReusable() {
        return reusable;
    }

    /** Lets nothing run here any more. */
    void condemn() {
        reusable = false;
    }

    // ---- user-defined functions ----

    /** The JSON of what the function gives, empty for undefined. */
    Optional<String> call(Value body, String arguments, String missing) {
        reusable = false;
        logs = false;
        var result = call.execute(body, arguments, missing);
        var json = result.isNull() ? Optional.<String>empty() : Optional.of(result.asString());
        comeToRest();
        return json;
    }

    // ---- the way out ----

    private Object perform(Value... given) {
        return switch (given[0].asString()) {
            case "quota" -> host.quota();
            case "usage" -> host.usage();
            case String name ->
                host.perform(operation(name, given)).map(Realm::text).orElse(null);
        };
    }

    private static Operation operation(String name, Value... given) {
        return switch (name) {
            case "read" -> new Operation.Read(link(given[1]), given[2].asString());
            case "list" -> new Operation.List(pageSize(given[1]), given[2].asString());
            case "query" -> new Operation.Query(given[1].asString(), pageSize(given[2]), given[3].asString());
            case "create" -> new Operation.Create(given[1].asString());
            case "upsert" -> new Operation.Upsert(given[1].asString(), given[2].asString());
            case "replace" -> new Operation.Replace(link(given[1]), given[2].asString(), given[3].asString());
            case "patch" -> new Operation.Patch(link(given[1]), given[2].asString(), given[3].asString());
            case "delete" -> new Operation.Delete(link(given[1]), given[2].asString());
            case "attachment" -> new Operation.Attachment();
            default -> throw new IllegalStateException("the prelude asks for something unknown");
        };
    }

    /** A reply as the prelude reads it: one text for its parser, since taking it apart in JavaScript would cost more. */
    private static String text(Reply reply) {
        if (reply.status() >= REFUSED_STATUS) {
            return JsonWriter.text(new Arr(List.of(new Num(reply.status()), new Str(reply.body()))));
        }
        var options = options(reply);
        return switch (reply.status()) {
            case DELETED_STATUS -> "{\"body\":" + options + "}";
            case NOT_MODIFIED_STATUS -> "{\"options\":" + options + "}";
            default -> "{\"body\":" + reply.body() + ",\"options\":" + options + "}";
        };
    }

    private static String options(Reply reply) {
        var options = Obj.builder()
                .put("currentCollectionSizeInMB", "")
                .put("maxCollectionSizeInMB", "")
                .put("requestCharge", reply.charge());
        if (!reply.continuation().isEmpty()) {
            options.put("continuation", reply.continuation());
        }
        if (!reply.etag().isEmpty()) {
            options.put("etag", reply.etag());
        }
        if (reply.status() == NOT_MODIFIED_STATUS) {
            options.put("notModified", true);
        }
        return JsonWriter.text(options.build());
    }

    private static int pageSize(Value number) {
        return (int) Math.clamp(number.asDouble(), -1, Limits.PAGE_ITEMS_DEFAULT);
    }

    private static DocumentLink link(Value text) {
        var link = text.asString();
        return new DocumentLink(link.charAt(0) == 'r', link.substring(1));
    }

    // ---- failures ----

    /** What to tell about something that a script has thrown. */
    FailureException failed(Value thrown) {
        var failed = failed(describe.execute(thrown).asString(), said());
        // What waited for its turn has had it by now, since nothing comes back from a realm before.
        comeToRest();
        return failed;
    }

    /** From what the prelude says: number, text and stack. */
    private static FailureException failed(String description, String log) {
        var parts = (Arr) JsonReader.parse(description);
        int number = (int) ((Num) parts.at(0)).value();
        var text = ((Str) parts.at(1)).value();
        var stack = ((Str) parts.at(2))
                .value()
                .lines()
                .filter(line -> !OWN_LINE.matcher(line).find())
                .collect(Collectors.joining("\n"));
        return new FailureException(new Failure.ScriptFailed(
                "Encountered exception while executing function. Exception = " + text
                        + (stack.isEmpty() ? "" : "\r\nStack trace: " + stack),
                number > 0 && number <= 0xffff ? number : 0,
                log));
    }

    /** Ends whatever runs in it, from any thread. */
    void kill() {
        context.close(true);
    }

    @Override
    public void close() {
        context.close(true);
    }
}
