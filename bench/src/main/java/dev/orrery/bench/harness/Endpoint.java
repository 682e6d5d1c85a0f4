package dev.orrery.bench.harness;

/** Where a server on this machine listens. */
public record Endpoint(int port, boolean secure) {
    public static final String ADDRESS = "127.0.0.1";

    public String host() {
        return "localhost:" + port;
    }
}
