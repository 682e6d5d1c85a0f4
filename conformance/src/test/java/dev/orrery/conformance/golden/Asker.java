package dev.orrery.conformance.golden;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** Asks a query through an SDK. */
interface Asker extends AutoCloseable {
    /** All rows, or what the SDK threw. */
    Answer ask(String container, String text, Map<String, JsonNode> parameters);

    /** Whether the SDK gives the elements of an array for a page whose only row is that array. */
    boolean opensArrays();

    /**
     * What the SDK itself gets wrong when it puts rows together by a plan, of one partition or of several: patterns of
     * statements, or words of what it throws, and why. The server has no part in it.
     */
    Map<String, String> differences();

    /** Rows when {@code status} is 200. */
    record Answer(int status, String message, List<JsonNode> rows) {}

    @Override
    void close();
}
