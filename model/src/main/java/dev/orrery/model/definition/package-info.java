/**
 * What clients say about databases, containers, users, permissions and throughput: read, checked, in normal form. Begin
 * with {@link ContainerDefinition}.
 */
package dev.orrery.model.definition;
