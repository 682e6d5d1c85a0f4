/**
 * Items in files: reading and writing their formats, and carrying them to and from a server. Begin with
 * {@link Importer}.
 */
package dev.orrery.server.transfer;
