/** From the outcome of an operation to the status, headers and body that clients understand. */
package dev.orrery.gateway.reply;
