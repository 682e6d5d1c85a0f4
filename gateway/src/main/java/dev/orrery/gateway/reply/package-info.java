/**
 * From the outcome of an operation to the status, headers and body that clients understand. Begin with
 * {@link ReplyRenderer}.
 */
package dev.orrery.gateway.reply;
