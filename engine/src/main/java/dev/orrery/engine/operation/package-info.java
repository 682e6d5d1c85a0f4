/**
 * What can be asked of the database and what it answers: the vocabulary of its one door. Begin with {@link Operation}.
 */
package dev.orrery.engine.operation;
