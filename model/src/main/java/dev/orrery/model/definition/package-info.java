/** What clients say about databases, containers, users, permissions and throughput: read, checked, in normal form. */
package dev.orrery.model.definition;
