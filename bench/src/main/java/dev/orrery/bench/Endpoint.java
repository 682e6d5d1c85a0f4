package dev.orrery.bench;

/** Where a server on this machine listens. */
record Endpoint(int port, boolean secure) {
    static final String ADDRESS = "127.0.0.1";

    String host() {
        return "localhost:" + port;
    }
}
