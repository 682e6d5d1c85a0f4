/** What has changed, sent to a client as it happens. Begin with {@link ChangeStreams}. */
package dev.orrery.gateway.stream;
