/** What is indexed of an item, and how entries of indexes are found again. Begin with {@link ItemIndex}. */
package dev.orrery.engine.index;
