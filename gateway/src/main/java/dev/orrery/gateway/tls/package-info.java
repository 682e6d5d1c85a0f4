/**
 * The certificate with which the server proves who it is: made once, kept with the data. Begin with
 * {@link ServerCertificate}.
 */
package dev.orrery.gateway.tls;
