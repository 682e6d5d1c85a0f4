package dev.orrery.gateway.stream;

import dev.orrery.engine.operation.Operation.ReadChanges;
import java.util.Optional;

/**
 * Which changes a client wants to be sent.
 *
 * @param first the first of the reads that the stream is made of
 * @param follow whether the stream waits for more when it has told all there is; otherwise it ends
 * @param containerRid of the container that the place to go on from was told of
 */
public record StreamWanted(ReadChanges first, boolean follow, Optional<String> containerRid) {}
