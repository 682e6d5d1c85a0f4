/** From the headers and body of a request to an operation of the database. Begin with {@link OperationReader}. */
package dev.orrery.gateway.request;
