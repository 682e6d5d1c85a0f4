/** The data explorer in a real browser, against a running server. */
package dev.orrery.conformance.explorer;
