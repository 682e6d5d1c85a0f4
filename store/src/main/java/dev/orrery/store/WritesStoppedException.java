package dev.orrery.store;

/**
 * The store takes no writes at present, and nothing of this one has taken effect or ever will. Reads go on;
 * {@link Store#condition()} tells when writes do.
 */
public final class WritesStoppedException extends StoreException {

    private static final long serialVersionUID = 1L;

    public WritesStoppedException(String message) {
        super(message);
    }
}
