package dev.orrery.example.common;

import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.CosmosException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The databases that a demo makes, and removes when they are of no use any more. */
public final class Databases {
    private final Account account;
    private final Map<String, CosmosDatabase> made = new LinkedHashMap<>();
    private boolean cleared;

    public Databases(Account account) {
        this.account = account;
    }

    public synchronized CosmosDatabase create(String name) {
        if (cleared) {
            throw new DemoException("It was stopped.");
        }
        if (account.hasDatabase(name)) {
            throw new DemoException("There is a database " + name + " already; choose other names with --database.");
        }
        var database = account.createDatabase(name);
        made.put(name, database);
        return database;
    }

    /** Those that it has made and not removed, in the order in which they were made. */
    public synchronized List<String> names() {
        return List.copyOf(made.keySet());
    }

    /** Called as soon as one is of no use any more: throughput that is provided is paid for. */
    public synchronized void remove(String name) {
        made.get(name).delete();
        made.remove(name);
    }

    /** Removes those that are left, and keeps others from being made, as the demo may still run. */
    public synchronized void clear() {
        cleared = true;
        made.forEach((name, database) -> {
            System.err.println("remove the database " + name);
            try {
                database.delete();
            } catch (CosmosException failure) {
                System.err.println(
                        "Cannot remove it. " + Explanation.of(failure).orElse(""));
            }
        });
    }
}
