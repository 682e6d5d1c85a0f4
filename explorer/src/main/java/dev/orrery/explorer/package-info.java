/** The data explorer: the files of a web page, and where they are. Begin with {@link ExplorerFiles}. */
package dev.orrery.explorer;
