package dev.orrery.example.modeling;

import com.azure.cosmos.CosmosDatabase;
import com.azure.cosmos.models.CosmosContainerProperties;
import com.azure.cosmos.models.ThroughputProperties;

/** Where one pattern is tried: a database to make containers in, and a meter for all of them. */
public final class Workbench {
    private final CosmosDatabase database;
    private final int runs;
    private final int requestUnitsPerSecond;
    private final Meter meter = new Meter();

    /**
     * Ready for one pattern.
     *
     * @param runs how often a task is measured, after as many to warm up
     * @param requestUnitsPerSecond the throughput of each container; every 10,000 make a physical partition
     */
    public Workbench(CosmosDatabase database, int runs, int requestUnitsPerSecond) {
        this.database = database;
        this.runs = runs;
        this.requestUnitsPerSecond = requestUnitsPerSecond;
    }

    /** A new container with the default indexing policy. */
    Container container(String name, String partitionKeyPath) {
        database.createContainer(
                new CosmosContainerProperties(name, partitionKeyPath),
                ThroughputProperties.createManualThroughput(requestUnitsPerSecond));
        return new Container(database.getContainer(name), meter);
    }

    <M> Comparison<M> compare(String pattern, M first, String opposite, M second) {
        return new Comparison<>(meter, runs, pattern, first, opposite, second);
    }
}
