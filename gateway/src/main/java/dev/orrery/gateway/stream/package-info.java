/** What has changed, sent to a client as it happens. */
package dev.orrery.gateway.stream;
