package dev.orrery.server.backup;

import java.util.HexFormat;

/** One file of a store, under its own name there, and what it must be like (CRC-32C). */
public record BackupFile(String name, long size, int checksum) {

    /** Its name in the folder of backups: what two backups have in common is there once. */
    String storedName() {
        return HexFormat.of().toHexDigits(checksum) + "-" + Long.toHexString(size) + "-" + name;
    }
}
