package dev.orrery.server.transfer;

import dev.orrery.gateway.client.ContainerClient;
import dev.orrery.gateway.client.ContainerClient.Range;
import dev.orrery.gateway.client.ContainerClient.RefusedException;
import dev.orrery.model.key.EffectivePartitionKey;
import java.io.IOException;
import java.util.List;

/** Which range an item belongs to, as far as is known; ranges may split at any time. */
final class RangeMap {
    private final ContainerClient container;
    private volatile List<Range> ranges;

    RangeMap(ContainerClient container) throws IOException, InterruptedException, RefusedException {
        this.container = container;
        this.ranges = container.ranges();
    }

    String rangeOf(EffectivePartitionKey place) {
        var known = ranges;
        int low = 0;
        int high = known.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (known.get(middle).span().min().compareTo(place) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return known.get(low).id();
    }

    void refresh() throws IOException, InterruptedException, RefusedException {
        ranges = container.ranges();
    }
}
