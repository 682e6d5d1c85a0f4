/** One account in several regions, each a process of its own. */
package dev.orrery.conformance.regions;
