package dev.orrery.gateway;

import dev.orrery.engine.operation.Address;
import dev.orrery.model.json.JsonPatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/** Writes operations as text that a person can check: every part that says something, and nothing else. */
public final class Descriptions {
    private Descriptions() {}

    public static String of(Object value) {
        return switch (value) {
            case byte[] bytes -> new String(bytes, StandardCharsets.UTF_8);
            case Optional<?> optional -> optional.map(Descriptions::of).orElse("");
            case Collection<?> all ->
                all.isEmpty() ? "" : all.stream().map(Descriptions::of).collect(Collectors.joining(", ", "[", "]"));
            case Boolean set -> set ? "true" : "";
            case Integer number -> number == 0 ? "" : number.toString();
            case Address address -> address.toString();
            case JsonPatch _ -> "as sent"; // what is in it is tested where it is read
            case Record record when record.getClass().getPackageName().startsWith("dev.orrery.engine") -> parts(record);
            default -> value.toString();
        };
    }

    private static String parts(Record record) {
        var parts = new ArrayList<String>();
        for (var component : record.getClass().getRecordComponents()) {
            try {
                var accessor = component.getAccessor();
                accessor.setAccessible(true);
                var text = of(accessor.invoke(record));
                if (!text.isEmpty()) {
                    parts.add(component.getName() + " " + text);
                }
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }
        var name = record.getClass().getSimpleName();
        return parts.isEmpty() && isPart(name) ? "" : name + parts.stream().collect(Collectors.joining("; ", "{", "}"));
    }

    /** Parts that are always there and mean nothing when they are empty. */
    private static boolean isPart(String name) {
        return switch (name) {
            case "Precondition", "Triggers", "Scope", "Page", "Unstated" -> true;
            default -> false;
        };
    }
}
