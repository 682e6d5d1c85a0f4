/**
 * Direct mode: the second wire form of the same protocol, binary frames over TLS. A frame becomes the request that the
 * gateway serves, and its reply becomes a frame; {@link dev.orrery.gateway.direct.RequestToken} and {@link
 * dev.orrery.gateway.direct.ReplyToken} say which token is which header. Begin with {@link
 * dev.orrery.gateway.direct.DirectConnection}.
 */
package dev.orrery.gateway.direct;
