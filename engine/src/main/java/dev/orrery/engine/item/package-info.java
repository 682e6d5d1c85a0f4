/**
 * Items: what reading and writing them means, from the body a client sent to the rows of one commit. Begin with
 * {@link Items}.
 */
package dev.orrery.engine.item;
