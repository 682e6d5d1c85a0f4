package dev.orrery.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.FailureException;
import dev.orrery.model.definition.Definition;
import dev.orrery.model.definition.ScriptDefinition;
import dev.orrery.model.definition.TriggerDefinition;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the scripts of a configuration file, and replaces those that it says otherwise: unlike data, a program has its
 * home in a file, and whoever changes it there wants the server to run what it says now.
 */
final class ScriptProvisioning {
    private static final Logger LOG = LoggerFactory.getLogger(ScriptProvisioning.class);

    /** One of the lists of a container: its name in the file, what is in it, and the names that an entry may have. */
    private record Kind(String list, ResourceKind resource, String word, Set<String> names) {
        Definition parse(Obj body) {
            return resource == ResourceKind.TRIGGER ? TriggerDefinition.parse(body) : ScriptDefinition.parse(body);
        }
    }

    private static final List<Kind> KINDS = List.of(
            new Kind(
                    "storedProcedures",
                    ResourceKind.STORED_PROCEDURE,
                    "stored procedure",
                    Set.of("id", "body", "bodyFile")),
            new Kind(
                    "triggers",
                    ResourceKind.TRIGGER,
                    "trigger",
                    Set.of("id", "body", "bodyFile", "triggerType", "triggerOperation")),
            new Kind(
                    "userDefinedFunctions",
                    ResourceKind.USER_DEFINED_FUNCTION,
                    "user-defined function",
                    Set.of("id", "body", "bodyFile")));

    static final List<String> LISTS = KINDS.stream().map(Kind::list).toList();

    private final Function<Operation, Outcome> door;
    private final ConfigurationFile file;

    ScriptProvisioning(Function<Operation, Outcome> door, ConfigurationFile file) {
        this.door = door;
        this.file = file;
    }

    /** @param entry what the file says of the container */
    void run(String place, Address container, ObjectNode entry) {
        for (var kind : KINDS) {
            var ids = new HashSet<String>();
            for (var script : ConfigurationFile.objects(
                    file.path() + ": " + place + ": " + kind.list(), entry.path(kind.list()))) {
                var id = file.required(script, "id", place + ": " + kind.list());
                var scriptPlace = place + ", " + kind.word() + " " + id;
                if (!ids.add(id)) {
                    throw file.mistake(scriptPlace, "it is there twice.");
                }
                provide(kind, scriptPlace, container, id, script);
            }
        }
    }

    private void provide(Kind kind, String place, Address container, String id, ObjectNode script) {
        ConfigurationFile.demandNames(file.path() + ": " + place, script, kind.names());
        var source = bodyFile(place, script);
        var wherever = source.map(name -> place + " (" + name + ")").orElse(place);
        var body = body(place, id, script, source);
        var known = find(container.child(kind.resource(), id));
        try {
            if (known.isPresent() && kind.parse(known.get()).equals(kind.parse(body))) {
                return;
            }
        } catch (FailureException refused) {
            throw file.refused(wherever, refused.failure());
        }
        var made = door.apply(new Operation.CreateResource(
                kind.resource(), container, JsonWriter.bytes(body), true, Optional.empty(), 0));
        if (made.answer() instanceof Answer.Refused(var failure)) {
            throw file.refused(wherever, failure);
        }
        LOG.info("{} {}", known.isPresent() ? "Replaced" : "Made", place);
    }

    private Optional<Obj> find(Address script) {
        var read = door.apply(new Operation.ReadResource(script, Precondition.NONE, false, 0));
        return read.answer() instanceof Answer.Resource resource
                ? Optional.of((Obj) JsonReader.parse(
                        StandardCharsets.UTF_8.decode(resource.json()).toString()))
                : Optional.empty();
    }

    private Optional<String> bodyFile(String place, ObjectNode script) {
        if (script.hasNonNull("body") == script.hasNonNull("bodyFile")) {
            throw file.mistake(place, "it needs either a body or a bodyFile.");
        }
        return script.hasNonNull("bodyFile") ? Optional.of(file.required(script, "bodyFile", place)) : Optional.empty();
    }

    private Obj body(String place, String id, ObjectNode script, Optional<String> source) {
        var json = Obj.builder()
                .put("id", id)
                .put(
                        "body",
                        source.map(name -> read(place, name)).orElseGet(() -> file.required(script, "body", place)));
        for (var name : List.of("triggerType", "triggerOperation")) {
            if (script.has(name)) {
                json.put(name, file.required(script, name, place));
            }
        }
        return json.build();
    }

    private String read(String place, String name) {
        var path = file.path().toAbsolutePath().resolveSibling(name);
        try {
            return Files.readString(path);
        } catch (NoSuchFileException missing) {
            throw file.mistake(place, "there is no file " + path + ".", missing);
        } catch (IOException unreadable) {
            throw file.mistake(place, "the file " + path + " cannot be read: " + unreadable.getMessage(), unreadable);
        }
    }
}
