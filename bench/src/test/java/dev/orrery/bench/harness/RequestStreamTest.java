package dev.orrery.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class RequestStreamTest {
    private final Requests requests = new Requests(new Endpoint(1, false), "a2V5");

    @Test
    void everyCreateHasANewIdInItsHeaderAndInItsBody() {
        var stream = new RequestStream(requests, RequestKind.CREATE, new AtomicLong(0xabc), 0);
        assertThat(text(stream.next())).contains("[\"0000000000000abc\"]", "\"id\":\"0000000000000abc\"");
        assertThat(text(stream.next())).contains("[\"0000000000000abd\"]", "\"id\":\"0000000000000abd\"");
    }

    @Test
    void readsAskForTheSameItemAgain() {
        var stream = new RequestStream(requests, RequestKind.READ, new AtomicLong(), 7);
        stream.next();
        assertThat(text(stream.next())).startsWith("GET /dbs/bench/colls/items/docs/0000000000000007 HTTP/1.1\r\n");
    }

    @Test
    void theItemHasTheSizeThatTheReportSpeaksOf() {
        assertThat(SampleItem.json(SampleItem.id(1))).hasSize(SampleItem.BYTES);
    }

    private static String text(byte[] request) {
        return new String(request, StandardCharsets.US_ASCII);
    }
}
