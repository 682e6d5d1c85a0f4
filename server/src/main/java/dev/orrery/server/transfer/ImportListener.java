package dev.orrery.server.transfer;

/** Is told how an import goes; by several threads. */
public interface ImportListener {
    /**
     * A record was not imported.
     *
     * @param column 0 when only the line is known
     */
    void refused(String file, long line, long column, String message);

    /** Something that will pass, such as a server that does not answer. */
    void hindered(String message);

    /** Is called now and then. */
    void progress(long bytesRead, long imported);
}
