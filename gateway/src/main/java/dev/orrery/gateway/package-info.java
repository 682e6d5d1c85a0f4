/** HTTP, authentication and headers: the wire protocol of the official SDKs. Begin with {@link Gateway}. */
package dev.orrery.gateway;
