/** The council of the regions on Apache Ratis. Begin with {@link RatisCouncil}. */
package dev.orrery.council;
