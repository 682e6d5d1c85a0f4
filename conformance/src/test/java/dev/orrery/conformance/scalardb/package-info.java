/** ScalarDB, which keeps its tables in containers, and speaks Direct mode only. */
package dev.orrery.conformance.scalardb;
