/** What is indexed of an item, and how entries of indexes are found again. */
package dev.orrery.engine.index;
