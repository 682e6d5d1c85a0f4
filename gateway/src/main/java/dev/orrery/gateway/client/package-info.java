/**
 * The protocol from the other side: what commands and the build ask of a running server. Begin with
 * {@link AccountClient}.
 */
package dev.orrery.gateway.client;
