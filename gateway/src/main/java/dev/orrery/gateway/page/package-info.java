/** Serving the files of a web page beside the protocol. Begin with {@link PageHandler}. */
package dev.orrery.gateway.page;
