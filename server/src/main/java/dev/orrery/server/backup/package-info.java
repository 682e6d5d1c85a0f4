/** Backups of a running server, and what is made of them. Begin with {@link BackupFolder}. */
package dev.orrery.server.backup;
