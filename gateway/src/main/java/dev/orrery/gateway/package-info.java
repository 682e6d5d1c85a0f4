/** HTTP, authentication and headers: the wire protocol of the official SDKs. */
package dev.orrery.gateway;
