/** The data explorer: the files of a web page, and where they are. */
package dev.orrery.explorer;
