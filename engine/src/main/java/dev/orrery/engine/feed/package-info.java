/** The change feed: what has changed in a container, from its log. */
package dev.orrery.engine.feed;
