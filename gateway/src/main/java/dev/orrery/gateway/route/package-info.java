/** From the path of a request to the resource it names. Begin with {@link Route}. */
package dev.orrery.gateway.route;
