package dev.orrery.bench.harness;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * A server that speaks the protocol.
 *
 * @param forgetful whether to empty it before it creates items, because it would otherwise keep them all in its heap
 * @param numbers of new items; those below {@link #READ_ITEMS} are there to be read
 */
public record HttpContender(
        String name,
        ChildServer server,
        String key,
        Endpoint plain,
        Endpoint secure,
        boolean forgetful,
        AtomicLong numbers)
        implements Contender {
    public static final int READ_ITEMS = 64;

    public HttpContender(
            String name, ChildServer server, String key, Endpoint plain, Endpoint secure, boolean forgetful) {
        this(name, server, key, plain, secure, forgetful, new AtomicLong(READ_ITEMS));
    }

    /** Makes the database, the container and the items to be read. */
    public void provision(Endpoint endpoint) {
        var requests = new Requests(endpoint, key);
        Exchange.demand(endpoint, requests.createDatabase());
        Exchange.demand(endpoint, requests.createContainer());
        for (int number = 0; number < READ_ITEMS; number++) {
            Exchange.demand(endpoint, requests.create(SampleItem.id(number)));
        }
    }

    @Override
    public Session open(Scenario scenario, int connections) {
        var endpoint = scenario.secure() ? secure : plain;
        var requests = new Requests(endpoint, key);
        if (forgetful && scenario.operation() == RequestKind.CREATE) {
            Exchange.demand(endpoint, requests.deleteContainer());
            Exchange.demand(endpoint, requests.createContainer());
        }
        var load = Load.open(endpoint, scenario.operation(), streams(requests, scenario.operation(), connections));
        return new Session() {
            @Override
            public Load.Result run(Duration duration) throws InterruptedException {
                return load.run(duration);
            }

            @Override
            public void close() {
                load.close();
            }
        };
    }

    private List<RequestStream> streams(Requests requests, RequestKind operation, int connections) {
        return IntStream.range(0, connections)
                .mapToObj(connection -> new RequestStream(requests, operation, numbers, connection % READ_ITEMS))
                .toList();
    }
}
