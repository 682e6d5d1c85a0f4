/**
 * HTTP/1.1 over TCP and TLS: turns bytes into whole requests and replies into bytes, and knows nothing of the protocol
 * on top. Begin with {@link HttpConnection}.
 */
package dev.orrery.gateway.http;
