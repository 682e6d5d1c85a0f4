package dev.orrery.bench.harness;

/** What the requests of a scenario do, and the status that each of them must be answered with. */
public enum RequestKind {
    READ(200),
    CREATE(201),
    QUERY(200);

    private final int status;

    RequestKind(int status) {
        this.status = status;
    }

    public int status() {
        return status;
    }
}
