package dev.orrery.server;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.sql.function.Aggregate;
import dev.orrery.sql.function.Builtin;
import dev.orrery.sql.function.Builtins;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;

/** The functions of the query language with their manual, for editors that complete queries. */
final class FunctionReport {
    private FunctionReport() {}

    static Obj json() {
        var builtins = Builtins.all().stream()
                .filter(builtin -> !builtin.name().startsWith("_")) // those are for SDKs only
                .sorted(Comparator.comparing(Builtin::name))
                .map(FunctionReport::json);
        var aggregates = Arrays.stream(Aggregate.values()).map(FunctionReport::json);
        return Obj.builder()
                .put("functions", new Arr(Stream.concat(builtins, aggregates).toList()))
                .build();
    }

    private static JsonValue json(Builtin builtin) {
        return Obj.builder()
                .put("name", builtin.name())
                .put("group", builtin.group().title())
                .put("call", builtin.name() + "(" + parameters(builtin) + ")")
                .put("description", builtin.description())
                .put("example", builtin.example())
                .put("result", builtin.result())
                .build();
    }

    private static JsonValue json(Aggregate aggregate) {
        return Obj.builder()
                .put("name", aggregate.name())
                .put("group", "Aggregates")
                .put("call", aggregate.name() + "(value)")
                .put("description", aggregate.description())
                .build();
    }

    /** As in the manual: what may be left out stands in brackets. */
    private static String parameters(Builtin builtin) {
        var text = new StringBuilder();
        for (var parameter : builtin.parameters()) {
            var comma = text.isEmpty() ? "" : ", ";
            var optional = parameter.endsWith("?");
            text.append(optional ? "[" + comma + parameter.replace("?", "") + "]" : comma + parameter);
        }
        return text.toString();
    }
}
