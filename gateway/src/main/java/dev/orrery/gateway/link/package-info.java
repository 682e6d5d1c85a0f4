/** Messages between the regions of an account, over HTTP: signed, and told apart from those of clients. Begin with {@link LinkServer}. */
package dev.orrery.gateway.link;
