/** JSON: values and their one ordering, and the text they come from and go to. Begin with {@link JsonValue}. */
package dev.orrery.model.json;
