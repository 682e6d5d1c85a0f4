/** The protocol from the other side: what commands and the build ask of a running server. */
package dev.orrery.gateway.client;
