package dev.orrery.sql.golden;

import dev.orrery.model.definition.ContainerDefinition;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.sql.Query;
import dev.orrery.sql.function.ContainerTraits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A golden file: what to do, and what came of it.
 *
 * <pre>
 * # a comment
 * item {"id":"1"}           adds an item
 * param @p 5                sets a parameter from here on
 * container {"members": 1}  what the definition of the container says from here on, apart from its id and key
 * clear                     forgets items, parameters and policies
 *
 * > SELECT VALUE c.id       a statement; further lines of it also start with >
 * > FROM c
 * "1"                       its rows up to the next empty line, or (no rows), or ! and a refusal
 * </pre>
 */
public final class Transcript {
    /**
     * One statement with what it sees.
     *
     * @param place the file and line where it begins
     * @param policies members of the definition of its container
     * @param result the lines below it
     */
    public record Statement(
            String place,
            String text,
            List<JsonValue> items,
            Map<String, JsonValue> parameters,
            Obj policies,
            List<String> result) {

        public Query query() {
            return query(text);
        }

        /** Another query with the same parameters and policies. */
        public Query query(String other) {
            var query = Query.of(other, container());
            return query.textWithNames(parameters)
                    .map(named -> Query.of(named, container()))
                    .orElse(query);
        }

        public ContainerTraits container() {
            return ContainerTraits.of(ContainerDefinition.parse(Obj.builder()
                    .putAll((Obj) JsonReader.parse("{\"id\":\"c\",\"partitionKey\":{\"paths\":[\"/pk\"]}}"))
                    .putAll(policies)
                    .build()));
        }
    }

    private final String name;
    private final List<String> lines;
    private final List<JsonValue> items = new ArrayList<>();
    private final Map<String, JsonValue> parameters = new LinkedHashMap<>();
    private Obj policies = Obj.EMPTY;

    Transcript(String name, List<String> lines) {
        this.name = name;
        this.lines = lines;
    }

    /** The same transcript with the results that a runner gives now. */
    String replay(Function<Statement, List<String>> runner) {
        var out = new StringBuilder();
        var index = 0;
        while (index < lines.size()) {
            var line = lines.get(index);
            out.append(line).append('\n');
            index++;
            if (!line.startsWith(">")) {
                directive(line);
                continue;
            }
            var place = name + ":" + index;
            var text = new StringBuilder(line.substring(2));
            while (index < lines.size() && lines.get(index).startsWith(">")) {
                out.append(lines.get(index)).append('\n');
                text.append('\n').append(lines.get(index).substring(2));
                index++;
            }
            var result = index;
            while (index < lines.size() && !lines.get(index).isBlank()) {
                index++;
            }
            runner.apply(new Statement(
                            place,
                            text.toString(),
                            List.copyOf(items),
                            Map.copyOf(parameters),
                            policies,
                            List.copyOf(lines.subList(result, index))))
                    .forEach(row -> out.append(row).append('\n'));
        }
        return out.toString();
    }

    private void directive(String line) {
        if (line.startsWith("item ")) {
            items.add(JsonReader.parse(line.substring("item ".length())));
        } else if (line.startsWith("param ")) {
            var parts = line.split(" ", 3);
            parameters.put(parts[1], JsonReader.parse(parts[2]));
        } else if (line.startsWith("container ")) {
            policies = (Obj) JsonReader.parse(line.substring("container ".length()));
        } else if (line.equals("clear")) {
            items.clear();
            parameters.clear();
            policies = Obj.EMPTY;
        } else if (!line.isBlank() && !line.startsWith("#")) {
            throw new IllegalArgumentException("Not a line of a transcript: " + line);
        }
    }
}
