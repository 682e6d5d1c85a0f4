/** The official Java SDK as a load generator; begin with {@link dev.orrery.bench.sdk.SdkLoad}. */
package dev.orrery.bench.sdk;
