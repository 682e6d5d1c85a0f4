/** JSON: values and their one ordering, and the text they come from and go to. */
package dev.orrery.model.json;
