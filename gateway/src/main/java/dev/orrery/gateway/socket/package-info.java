/** Listening and accepting: what the two wire forms have in common. Begin with {@link SocketServer}. */
package dev.orrery.gateway.socket;
