/** Direct mode, the default of the Java SDK, where it differs from gateway mode in what can go wrong. */
package dev.orrery.conformance.direct;
