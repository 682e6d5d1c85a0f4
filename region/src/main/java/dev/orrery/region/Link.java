package dev.orrery.region;

import java.util.concurrent.CompletionStage;

/** The way to another region. */
public interface Link {
    /** Sends a question; the stage ends with the answer, or fails when the other is not reached in time. */
    CompletionStage<byte[]> send(Member to, byte[] question);
}
