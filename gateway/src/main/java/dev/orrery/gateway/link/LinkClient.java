package dev.orrery.gateway.link;

import dev.orrery.gateway.client.LoopbackTrust;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** Asks other regions, and believes only answers that are signed with the account's key. */
public final class LinkClient {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(20);
    private static final int OK = 200;

    private final Supplier<LinkKey> key;
    private final InstantSource clock;
    private final LinkTraffic traffic;
    private final HttpClient http;
    private final HttpClient loopback;

    /** The other region answers, but not as one of this account. */
    public static final class LinkRefusedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        LinkRefusedException(String message) {
            super(message);
        }
    }

    /**
     * Opens no connection yet.
     *
     * @param trust whose certificates are believed instead of those that the runtime trusts
     */
    public LinkClient(
            Supplier<LinkKey> key,
            InstantSource clock,
            Optional<SSLContext> trust,
            LinkTraffic traffic,
            Executor workers) {
        this.key = key;
        this.clock = clock;
        this.traffic = traffic;
        var builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .executor(workers);
        trust.ifPresent(builder::sslContext);
        this.http = builder.build();
        this.loopback = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT)
                .executor(workers)
                .sslContext(LoopbackTrust.context())
                .build();
    }

    /** Asks the region at an endpoint. */
    public CompletionStage<byte[]> ask(String endpoint, byte[] question) {
        var address = URI.create(endpoint).resolve(LinkServer.PATH);
        long now = clock.instant().getEpochSecond();
        var used = key.get();
        var request = HttpRequest.newBuilder(address)
                .timeout(ANSWER_TIMEOUT)
                .header("content-type", "application/octet-stream")
                .header(LinkServer.TIME, Long.toString(now))
                .header(LinkServer.SIGNATURE, used.sign(LinkServer.QUESTION, now, question))
                .POST(BodyPublishers.ofByteArray(question))
                .build();
        traffic.send(question);
        var client = LoopbackTrust.applies(address) ? loopback : http;
        return client.sendAsync(request, BodyHandlers.ofByteArray())
                .thenApply(reply -> believed(used, endpoint, reply));
    }

    private byte[] believed(LinkKey key, String endpoint, HttpResponse<byte[]> reply) {
        if (reply.statusCode() != OK) {
            throw new LinkRefusedException("The region at " + endpoint + " refuses (" + reply.statusCode() + "): "
                    + new String(reply.body(), java.nio.charset.StandardCharsets.UTF_8));
        }
        traffic.receive(reply.body());
        long second = reply.headers().firstValueAsLong(LinkServer.TIME).orElse(0);
        var signature = reply.headers().firstValue(LinkServer.SIGNATURE).orElse("");
        if (!key.isSigned(signature, LinkServer.ANSWER, second, reply.body())) {
            throw new LinkRefusedException(
                    "What answers at " + endpoint + " is no region of this account, or has another key.");
        }
        return reply.body();
    }
}
