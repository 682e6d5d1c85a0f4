package dev.orrery.example.modeling;

import java.util.List;

/**
 * What a pattern and its opposite take for the same tasks.
 *
 * @param pattern the name of the model that follows the pattern
 * @param opposite the name of the model that does not
 * @param findings what came out besides figures, in sentences
 */
public record TradeOff(String pattern, String opposite, List<Row> rows, List<String> findings) {
    public TradeOff {
        rows = List.copyOf(rows);
        findings = List.copyOf(findings);
    }

    public Row row(String task) {
        return rows.stream().filter(row -> row.task().equals(task)).findFirst().orElseThrow();
    }

    public String conclusion() {
        return Conclusion.of(this);
    }
}
