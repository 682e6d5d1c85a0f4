/** The change feed: what has changed in a container, from its log. Begin with {@link Changes}. */
package dev.orrery.engine.feed;
