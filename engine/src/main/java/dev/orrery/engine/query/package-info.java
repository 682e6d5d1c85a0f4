/** Feeds and queries: walking the items of a part of a container, page by page. Begin with {@link Queries}. */
package dev.orrery.engine.query;
