/** JavaScript on GraalJS, within bounds; begin with {@link dev.orrery.script.GraalScripts}. */
package dev.orrery.script;
