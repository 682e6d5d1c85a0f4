package dev.orrery.conformance.golden;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * One statement of a transcript with what it sees and what comes of it; the folder {@code golden} of the module {@code
 * sql} has them, and its class {@code Transcript} tells how they are written.
 */
record Statement(
        String transcript,
        int line,
        String text,
        List<ObjectNode> items,
        Map<String, JsonNode> parameters,
        ObjectNode policies,
        List<String> result) {
    static final ObjectMapper JSON = new ObjectMapper();
    private static final Path FOLDER = Path.of("../sql/src/test/resources/golden");

    static List<Statement> all() throws IOException {
        var statements = new ArrayList<Statement>();
        try (var files = Files.walk(FOLDER)) {
            for (var file : files.filter(path -> path.toString().endsWith(".query"))
                    .sorted()
                    .toList()) {
                read(FOLDER.relativize(file).toString(), Files.readAllLines(file), statements);
            }
        }
        return statements;
    }

    private static void read(String name, List<String> lines, List<Statement> statements) {
        var items = new ArrayList<ObjectNode>();
        var parameters = new LinkedHashMap<String, JsonNode>();
        var policies = JSON.createObjectNode();
        for (int at = 0; at < lines.size(); at++) {
            var line = lines.get(at);
            if (line.startsWith("item ")) {
                items.add((ObjectNode) json(line.substring("item ".length())));
            } else if (line.startsWith("param ")) {
                var parts = line.split(" ", 3);
                parameters.put(parts[1], json(parts[2]));
            } else if (line.startsWith("container ")) {
                policies = (ObjectNode) json(line.substring("container ".length()));
            } else if (line.equals("clear")) {
                items.clear();
                parameters.clear();
                policies = JSON.createObjectNode();
            } else if (line.startsWith(">")) {
                int textEnd = endOf(lines, at, ">");
                int resultEnd = endOf(lines, textEnd, "");
                var text = lines.subList(at, textEnd).stream()
                        .map(part -> part.substring(2))
                        .toList();
                statements.add(new Statement(
                        name,
                        at + 1,
                        String.join("\n", text),
                        List.copyOf(items),
                        Map.copyOf(parameters),
                        policies,
                        List.copyOf(lines.subList(textEnd, resultEnd))));
                at = resultEnd - 1;
            }
        }
    }

    /** Where the lines end that begin with a prefix and are not blank. */
    private static int endOf(List<String> lines, int start, String prefix) {
        int end = start;
        while (end < lines.size() && !lines.get(end).isBlank() && lines.get(end).startsWith(prefix)) {
            end++;
        }
        return end;
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException(text, malformed);
        }
    }

    String place() {
        return transcript + ":" + line;
    }

    boolean mentions(String pattern) {
        return Pattern.compile(pattern, Pattern.CASE_INSENSITIVE).matcher(text).find();
    }

    boolean isSorted() {
        return mentions("\\bORDER\\s+BY\\b");
    }

    /** A container keeps the items of a logical partition in the order of their ids. */
    boolean isInOrderOfIds() {
        var ids = items.stream().map(item -> item.path("id").textValue()).toList();
        return ids.equals(ids.stream().sorted().toList());
    }
}
