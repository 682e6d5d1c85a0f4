/** JavaScript on GraalJS, within bounds. */
package dev.orrery.script;
