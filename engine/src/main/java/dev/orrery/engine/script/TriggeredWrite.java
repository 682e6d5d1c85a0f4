package dev.orrery.engine.script;

import dev.orrery.engine.item.Transaction;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation.IndexingDirective;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.script.ScriptCall.Role;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.definition.TriggerDefinition;
import dev.orrery.model.definition.TriggerDefinition.Occasion;
import dev.orrery.model.json.JsonScanner;
import dev.orrery.model.json.JsonValue.Str;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A write of one item with the triggers that its request names, all in one transaction. */
final class TriggeredWrite {
    /** A trigger and when it runs. */
    record Trigger(Script script, TriggerDefinition definition) {}

    private final ScriptRunner runner;
    private final List<Trigger> before;
    private final List<Trigger> after;
    private final ItemWrite write;
    private final IndexingDirective indexing;

    TriggeredWrite(
            ScriptRunner runner,
            List<Trigger> before,
            List<Trigger> after,
            ItemWrite write,
            IndexingDirective indexing) {
        this.runner = runner;
        this.before = before;
        this.after = after;
        this.write = write;
        this.indexing = indexing;
    }

    BatchResult run(Transaction transaction, TransactionHost host) {
        var occasions = occasions(transaction);
        var operation = operation();
        var body = body(write).map(TriggeredWrite::text);
        for (var trigger : before) {
            if (occasions.contains(trigger.definition().occasion())) {
                var call =
                        new ScriptCall(trigger.script(), Role.BEFORE, "[]", operation, body, Optional.empty(), false);
                var request = runner.run(call, host).request();
                body = body.isPresent() ? request : body;
            }
        }
        var result = transaction.write(withBody(body), indexing);
        for (var trigger : after) {
            if (occasions.contains(trigger.definition().occasion())) {
                var call = new ScriptCall(trigger.script(), Role.AFTER, "[]", operation, body, json(result), false);
                result = withResponse(result, runner.run(call, host).response());
            }
        }
        return result;
    }

    // ---- occasions ----

    /** Refuses a trigger that no write of this kind could be an occasion for. */
    static void demandOccasion(ItemWrite write, TriggerDefinition trigger) {
        if (!possible(write).contains(trigger.occasion())) {
            throw new FailureException(new Failure.BadRequest("The trigger '" + trigger.id() + "' is for the operation "
                    + trigger.occasion().spelling() + " only, which this request is not."));
        }
    }

    private static Set<Occasion> possible(ItemWrite write) {
        return switch (write) {
            case ItemWrite.Create _ -> EnumSet.of(Occasion.ALL, Occasion.CREATE);
            case ItemWrite.Upsert _ -> EnumSet.complementOf(EnumSet.of(Occasion.DELETE));
            case ItemWrite.Replace _, ItemWrite.Patch _ -> EnumSet.of(Occasion.ALL, Occasion.UPDATE, Occasion.REPLACE);
            case ItemWrite.Delete _ -> EnumSet.of(Occasion.ALL, Occasion.DELETE);
        };
    }

    /** What triggers this write is an occasion for; an upsert is one for what it turns out to be as well. */
    private Set<Occasion> occasions(Transaction transaction) {
        if (!(write instanceof ItemWrite.Upsert upsert)) {
            return possible(write);
        }
        return exists(transaction, upsert)
                ? EnumSet.of(Occasion.ALL, Occasion.UPSERT, Occasion.UPDATE, Occasion.REPLACE)
                : EnumSet.of(Occasion.ALL, Occasion.UPSERT, Occasion.CREATE);
    }

    private static boolean exists(Transaction transaction, ItemWrite.Upsert upsert) {
        if (!(JsonScanner.scan(upsert.body()).asObject("An item").member("id") instanceof Str(var id))) {
            return false;
        }
        try {
            transaction.read(id, Precondition.NONE, Caller.owner());
            return true;
        } catch (FailureException missing) {
            if (missing.failure() instanceof Failure.NotFound) {
                return false;
            }
            throw missing;
        }
    }

    /** As scripts are told it. */
    private String operation() {
        return switch (write) {
            case ItemWrite.Create _ -> "Create";
            case ItemWrite.Upsert _ -> "Upsert";
            case ItemWrite.Replace _ -> "Replace";
            case ItemWrite.Patch _ -> "Patch";
            case ItemWrite.Delete _ -> "Delete";
        };
    }

    // ---- bodies ----

    private static Optional<byte[]> body(ItemWrite write) {
        return switch (write) {
            case ItemWrite.Create create -> Optional.of(create.body());
            case ItemWrite.Upsert upsert -> Optional.of(upsert.body());
            case ItemWrite.Replace replace -> Optional.of(replace.body());
            case ItemWrite.Patch _, ItemWrite.Delete _ -> Optional.empty();
        };
    }

    private ItemWrite withBody(Optional<String> body) {
        var bytes = body.orElse("").getBytes(StandardCharsets.UTF_8);
        return switch (write) {
            case ItemWrite.Create create -> new ItemWrite.Create(bytes, create.precondition());
            case ItemWrite.Upsert upsert -> new ItemWrite.Upsert(bytes, upsert.precondition());
            case ItemWrite.Replace replace -> new ItemWrite.Replace(replace.id(), bytes, replace.precondition());
            case ItemWrite.Patch _, ItemWrite.Delete _ -> write;
        };
    }

    private static Optional<String> json(BatchResult result) {
        return result.answer() instanceof Answer.Resource resource
                ? Optional.of(StandardCharsets.UTF_8
                        .decode(resource.json().duplicate())
                        .toString())
                : Optional.empty();
    }

    /** What a post-trigger made of the response; what is stored stays as it is. */
    private static BatchResult withResponse(BatchResult result, Optional<String> response) {
        return result.answer() instanceof Answer.Resource resource && response.isPresent()
                ? new BatchResult(
                        new Answer.Resource(
                                resource.change(),
                                ByteBuffer.wrap(response.get().getBytes(StandardCharsets.UTF_8))),
                        result.bill(),
                        result.etag())
                : result;
    }

    private static String text(byte[] json) {
        // Refused here in the words of every other write, not in those of a script.
        JsonScanner.scan(json).asObject("An item");
        return new String(json, StandardCharsets.UTF_8);
    }
}
