/** Materialised views: containers that the server keeps up to date from the changes of others. */
package dev.orrery.engine.view;
