package dev.orrery.store;

/** The store could not do what was asked: a full disk, a damaged file, a directory in use. The message is for people. */
public sealed class StoreException extends RuntimeException permits WritesStoppedException {

    private static final long serialVersionUID = 1L;

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
