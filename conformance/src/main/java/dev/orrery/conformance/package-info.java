/**
 * The official SDKs, crash tests and hostile requests against a running server. Begin with {@code sdk/SdkSuite} among
 * the tests.
 */
package dev.orrery.conformance;
