/**
 * Cosmos binary JSON, the second form in which clients send JSON: it becomes text before anything else looks at it.
 * Begin with {@link BinaryJson}.
 */
package dev.orrery.gateway.binaryjson;
