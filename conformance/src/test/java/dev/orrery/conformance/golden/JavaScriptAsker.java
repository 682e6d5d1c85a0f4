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

    private final Process process;
    private final Writer questions;
    private final BufferedReader answers;

    JavaScriptAsker(OrreryServer server, String database) throws IOException {
        var builder = new ProcessBuilder("node", "ask.js", database)
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

    /** None: it leaves the whole query to the server, and asks it to put rows together. */
    @Override
    public Map<String, String> differences() {
        return Map.of();
    }

    @Override
    public void close() {
        process.destroy();
    }
}
