package dev.orrery.conformance.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.conformance.javascript.NodeSuite;
import dev.orrery.conformance.server.OrreryServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The JavaScript SDK, in a process that reads a question and prints an answer, line by line. */
final class JavaScriptAsker implements Asker {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Of the SDK when it puts rows of several partitions together. */
    private static final Map<String, String> DIFFERENCES = Map.ofEntries(
            Map.entry("order-by queries on mixed types", "It compares values of one type only."),
            Map.entry("unrecognizable type object", "It compares no arrays and objects."),
            Map.entry("contained DCount", "It does not count distinct rows."),
            Map.entry("componentScores must exist", "It can rank objects only."),
            Map.entry("without TOP or LIMIT", "It wants to know how many of the nearest or ranked rows to keep."),
            Map.entry("^SELECT VALUE AVG\\(c\\.n\\) FROM c$", "It passes over partitions whose sum is undefined."),
            Map.entry("^SELECT DISTINCT VALUE c\\.[kw] FROM c", "It drops null and 0 where it looks for equal rows."),
            Map.entry("^SELECT VALUE SUM\\(c\\.age\\) FROM c GROUP", "It ends at the first group without a value."));

    private final Map<String, String> differences;
    private final Process process;
    private final Writer questions;
    private final BufferedReader answers;

    /** It leaves whole queries to the server, and asks it to put rows together. */
    static JavaScriptAsker leavingRowsToServer(OrreryServer server, String database) throws IOException {
        return new JavaScriptAsker(server, database, "server", Map.of());
    }

    /** It runs queries as it does by itself: by a plan where the server refuses them. */
    static JavaScriptAsker byPlan(OrreryServer server, String database) throws IOException {
        return new JavaScriptAsker(server, database, "client", DIFFERENCES);
    }

    private JavaScriptAsker(OrreryServer server, String database, String whoMerges, Map<String, String> differences)
            throws IOException {
        this.differences = differences;
        var builder = new ProcessBuilder("node", "ask.js", database, whoMerges)
                .directory(NodeSuite.FOLDER.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("ORRERY_ENDPOINT", server.http().toString());
        builder.environment().put("ORRERY_KEY", OrreryServer.WELL_KNOWN_KEY);
        process = builder.start();
        questions = process.outputWriter();
        answers = process.inputReader();
    }

    @Override
    public Answer ask(String container, String text, Map<String, JsonNode> parameters) {
        var question = JSON.createObjectNode().put("container", container).put("query", text);
        var list = question.putArray("parameters");
        parameters.forEach((name, value) -> list.addObject().put("name", name).set("value", value));
        try {
            questions.write(JSON.writeValueAsString(question));
            questions.write('\n');
            questions.flush();
            var line = answers.readLine();
            if (line == null) {
                throw new IllegalStateException("Node has ended before it answered: " + text);
            }
            var answer = JSON.readTree(line);
            var rows = new ArrayList<JsonNode>();
            answer.path("rows").forEach(rows::add);
            return new Answer(
                    answer.path("status").intValue(), answer.path("message").asText(), List.copyOf(rows));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public boolean opensArrays() {
        return false;
    }

    @Override
    public Map<String, String> differences() {
        return differences;
    }

    @Override
    public void close() {
        process.destroy();
    }
}
