package dev.orrery.server.backup;

import java.io.IOException;

/** A copy of a store, held by whoever has it open. */
public interface BackupSource {

    BackupList list();

    /** Bytes of a file from a place on, at least one and at most so many as are left of it. */
    byte[] read(BackupFile file, long from) throws IOException, InterruptedException;
}
