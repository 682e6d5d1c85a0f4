/** One account in several regions: who writes, who follows, and how far each has come. Begin with {@link Charter}. */
package dev.orrery.region;
