package dev.orrery.sql.bind;

import dev.orrery.model.json.JsonPath;
import java.util.ArrayList;
import java.util.List;

/**
 * How a value is reached from the item that it is a part of.
 *
 * @param names from the item down; none for the item itself
 * @param computed whether the computed properties of the container are properties of the item here
 */
record ItemWay(List<String> names, boolean computed) {
    ItemWay {
        names = List.copyOf(names);
    }

    ItemWay to(String name) {
        var longer = new ArrayList<>(names);
        longer.add(name);
        return new ItemWay(longer, computed);
    }

    boolean isItem() {
        return names.isEmpty();
    }

    JsonPath path() {
        return new JsonPath(names, "/" + String.join("/", names));
    }
}
