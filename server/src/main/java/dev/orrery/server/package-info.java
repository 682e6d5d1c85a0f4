/** The program: command line, configuration, wiring and metrics. Begin with {@link Main}. */
package dev.orrery.server;
