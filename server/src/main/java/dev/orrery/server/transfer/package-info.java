/** Items in files: reading and writing their formats, and carrying them to and from a server. */
package dev.orrery.server.transfer;
