/** Every statement of the golden corpus over HTTP, through the official SDKs. */
package dev.orrery.conformance.golden;
