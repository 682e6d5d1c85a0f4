/** Feeds and queries: walking the items of a part of a container, page by page. */
package dev.orrery.engine.query;
