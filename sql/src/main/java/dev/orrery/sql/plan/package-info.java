/**
 * Looks at a query without running it: which keys and indexes its items can be found by, and how an SDK runs it over
 * several partitions. Begin with {@link Conditions} and {@link SdkQueryPlan}.
 */
package dev.orrery.sql.plan;
