/** The program: command line, configuration, wiring and metrics. */
package dev.orrery.server;
