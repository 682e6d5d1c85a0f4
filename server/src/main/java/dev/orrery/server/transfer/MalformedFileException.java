package dev.orrery.server.transfer;

/** A file is not what it should be, and the rest of it cannot be made out. */
public final class MalformedFileException extends Exception {
    private static final long serialVersionUID = 1L;
    private final long line;
    private final long column;

    MalformedFileException(long line, long column, String message) {
        super(message);
        this.line = line;
        this.column = column;
    }

    public long line() {
        return line;
    }

    public long column() {
        return column;
    }
}
