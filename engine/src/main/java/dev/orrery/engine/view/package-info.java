/**
 * Materialised views: containers that the server keeps up to date from the changes of others. Begin with {@link Views}.
 */
package dev.orrery.engine.view;
