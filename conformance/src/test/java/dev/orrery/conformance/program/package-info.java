/** The program as a person meets it: its commands, its options and its configuration file. */
package dev.orrery.conformance.program;
