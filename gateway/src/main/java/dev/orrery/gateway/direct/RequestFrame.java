package dev.orrery.gateway.direct;

import dev.orrery.model.Failure;
import java.util.Optional;
import java.util.UUID;

/**
 * One request as it arrived: {@code length:4 | resource type:2 | operation type:2 | activity id:16 | tokens}, and behind
 * it {@code length:4 | payload} if a token says that there is one. The first length counts the head only.
 *
 * @param payload empty when there is none
 * @param refusal why a payload was thrown away, if it was
 * @param memoryTaken what the payload took of the memory that all requests share; to be given back with the answer
 */
@SuppressWarnings("ArrayRecordComponent") // Carried, never compared.
record RequestFrame(
        int resourceType,
        int operationType,
        UUID activityId,
        Tokens tokens,
        byte[] payload,
        Optional<Failure> refusal,
        long memoryTaken) {
    private static final byte[] NOTHING = {};

    static RequestFrame of(int resourceType, int operationType, UUID activityId, Tokens tokens) {
        return new RequestFrame(resourceType, operationType, activityId, tokens, NOTHING, Optional.empty(), 0);
    }

    RequestFrame withPayload(byte[] bytes, long memoryTaken) {
        return new RequestFrame(resourceType, operationType, activityId, tokens, bytes, Optional.empty(), memoryTaken);
    }

    RequestFrame refused(Failure why) {
        return new RequestFrame(resourceType, operationType, activityId, tokens, NOTHING, Optional.of(why), 0);
    }

    boolean hasPayload() {
        return tokens.number(RequestToken.PAYLOAD_PRESENT).orElse(0L) == 1;
    }

    /** By which the client finds the request that a reply belongs to. */
    long transportId() {
        return tokens.number(RequestToken.TRANSPORT_REQUEST_ID).orElse(0L);
    }

    ReplicaPath replica() {
        return ReplicaPath.parse(tokens.text(RequestToken.REPLICA_PATH).orElse(""));
    }

    /** The first frame of a connection, with which both sides say who they are. */
    boolean isContext() {
        return resourceType == 0 && operationType == 0;
    }

    @Override
    public String toString() {
        return "operation " + operationType + " on resource " + resourceType + " (" + payload.length + " bytes)";
    }
}
