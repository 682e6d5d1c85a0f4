package dev.orrery.bench.sdk;

import com.azure.cosmos.CosmosAsyncClient;
import com.azure.cosmos.CosmosClientBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import reactor.core.publisher.Flux;

/**
 * Puts load on a server with the official SDK, as told line by line on its input: {@code read 8 5} keeps eight reads
 * under way for five seconds and answers with {@code done requests seconds p50 p99 cpu}, times in microseconds.
 */
public final class SdkLoad {
    private static final long LATENCY_MICROS_MAX = TimeUnit.MINUTES.toMicros(1);

    private SdkLoad() {}

    /**
     * Runs until its input ends.
     *
     * @param arguments the endpoint, the key, and {@code gateway} or {@code direct}
     */
    public static void main(String[] arguments) throws IOException {
        // The server is on this machine and has made its certificate itself.
        System.setProperty("COSMOS.EMULATOR_SERVER_CERTIFICATE_VALIDATION_DISABLED", "true");
        var out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        var builder = new CosmosClientBuilder()
                .endpoint(arguments[0])
                .key(arguments[1])
                .contentResponseOnWriteEnabled(true);
        try (CosmosAsyncClient client = (arguments[2].equals("direct") ? builder.directMode() : builder.gatewayMode())
                        .buildAsyncClient();
                var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            var requests = SdkRequests.provision(client);
            out.println("ready");
            for (var line = commands.readLine(); line != null; line = commands.readLine()) {
                var words = line.split(" ", -1);
                out.println(run(
                        requests,
                        SdkRequests.Kind.valueOf(words[0].toUpperCase(Locale.ROOT)),
                        Integer.parseInt(words[1]),
                        Duration.ofSeconds(Long.parseLong(words[2]))));
            }
        }
    }

    private static String run(SdkRequests requests, SdkRequests.Kind kind, int inFlight, Duration length) {
        Histogram latencies = new ConcurrentHistogram(LATENCY_MICROS_MAX, 3);
        var cpuBefore = cpu();
        long start = System.nanoTime();
        long end = start + length.toNanos();
        // Each of them sends its next request when the last one is answered. Any failure ends the measurement.
        Flux.range(0, inFlight)
                .flatMap(
                        sender -> Flux.defer(() -> {
                                    long sent = System.nanoTime();
                                    return requests.send(kind, sender)
                                            .doOnTerminate(() -> latencies.recordValue(
                                                    Math.min(LATENCY_MICROS_MAX, (System.nanoTime() - sent) / 1_000)));
                                })
                                .repeat(() -> System.nanoTime() < end),
                        inFlight)
                .blockLast();
        double seconds = (System.nanoTime() - start) / 1e9;
        return String.format(
                Locale.ROOT,
                "done %d %.3f %d %d %d",
                latencies.getTotalCount(),
                seconds,
                latencies.getValueAtPercentile(50),
                latencies.getValueAtPercentile(99),
                cpu().minus(cpuBefore).toNanos() / 1_000);
    }

    /** Zero where the system does not tell. */
    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }
}
