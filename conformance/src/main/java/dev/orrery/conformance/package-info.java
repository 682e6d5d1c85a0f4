/** The official SDKs, crash tests and hostile requests against a running server. */
package dev.orrery.conformance;
