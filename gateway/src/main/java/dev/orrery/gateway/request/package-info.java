/** From the headers and body of a request to an operation of the database. */
package dev.orrery.gateway.request;
