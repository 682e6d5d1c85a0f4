/** From the path of a request to the resource it names. */
package dev.orrery.gateway.route;
