package dev.orrery.sql.bind;

import dev.orrery.sql.syntax.Expression;
import dev.orrery.sql.syntax.SelectQuery.Item;
import java.util.ArrayList;
import java.util.List;

/** The property names that the items of a SELECT list get. */
public final class SelectNames {
    private SelectNames() {}

    /** The alias, or else the last name of a path, or else {@code $1}, {@code $2} and so on. */
    public static List<String> of(List<Item> items) {
        var names = new ArrayList<String>(items.size());
        var unnamed = 0;
        for (var item : items) {
            if (item.alias().isPresent()) {
                names.add(item.alias().get());
            } else if (item.value() instanceof Expression.Property(var _, var name, var _)) {
                names.add(name);
            } else if (item.value() instanceof Expression.Name(var name, var _)) {
                names.add(name);
            } else {
                unnamed++;
                names.add("$" + unnamed);
            }
        }
        return names;
    }
}
