/** Serving the files of a web page beside the protocol. */
package dev.orrery.gateway.page;
