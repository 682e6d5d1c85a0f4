package dev.orrery.gateway.link;

import java.util.concurrent.atomic.LongAdder;

/** How many bytes a region has sent to the others and received from them, as they travel: compressed, without HTTP. */
public final class LinkTraffic {
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();

    void send(byte[] message) {
        sent.add(message.length);
    }

    void receive(byte[] message) {
        received.add(message.length);
    }

    public long sentBytes() {
        return sent.sum();
    }

    public long receivedBytes() {
        return received.sum();
    }
}
