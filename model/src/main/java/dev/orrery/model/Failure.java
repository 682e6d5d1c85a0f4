package dev.orrery.model;

/**
 * An expected refusal, said in the words of the database; {@link WireStatus} says what a client sees of it.
 *
 * <p>Messages are for people and go to the client as they are: plain words, no stack traces, no internal names.
 */
public sealed interface Failure {

    String message();

    /** The request makes no sense: malformed text, a wrong type, an illegal value. */
    record BadRequest(String message) implements Failure {}

    /** The partition key of the request is not the one in the item, or does not fit the container's definition. */
    record PartitionKeyMismatch(String message) implements Failure {}

    /** The query needs several partitions: a client must ask each of them, and put the rows together by {@code plan}. */
    record CrossPartitionQuery(String message, String plan) implements Failure {}

    /** The query may find items of more than one partition key, and its sender has not allowed for that. */
    record CrossPartitionDisabled(String message) implements Failure {}

    /** The client means a container that has been deleted and created again under the same name. */
    record IntendedContainerMismatch(String message) implements Failure {}

    /** The query text is wrong between two character offsets, {@code end} exclusive; {@code code} as in SC1001. */
    record QuerySyntax(String message, String code, int start, int end) implements Failure {}

    /**
     * A script threw, or was aborted; {@code code} is the number that it gave, 0 for none, {@code log} what it had said to
     * its console by then, if somebody wants to know.
     */
    record ScriptFailed(String message, int code, String log) implements Failure {}

    /** A script cannot be read, or is not a function. */
    record ScriptSyntax(String message) implements Failure {}

    record Unauthorized(String message) implements Failure {}

    record Forbidden(String message) implements Failure {}

    /** This region does not accept writes. */
    record WriteForbidden(String message) implements Failure {}

    /** The logical partition has reached its size limit. */
    record PartitionFull(String message) implements Failure {}

    record NotFound(String message) implements Failure {}

    /** This copy of the data has not reached the state that the session has seen. */
    record SessionNotAvailable(String message) implements Failure {}

    /** The database or container that the request lives in does not exist. */
    record OwnerNotFound(String message) implements Failure {}

    record MethodNotAllowed(String message) implements Failure {}

    record Timeout(String message) implements Failure {}

    /** The id or a unique key is taken. */
    record Conflict(String message) implements Failure {}

    /** The physical partition has been split or merged. */
    record PartitionRangeGone(String message) implements Failure {}

    /** What a request is meant for is not here any more; nothing of it was done. */
    record Gone(String message) implements Failure {}

    /** An entity tag or a patch condition did not hold. */
    record PreconditionFailed(String message) implements Failure {}

    record TooLarge(String message) implements Failure {}

    /** It was sent to a host that this server is not. */
    record Misdirected(String message) implements Failure {}

    /** Nothing is wrong with this operation: another one of its batch failed. */
    record FailedDependency(String message) implements Failure {}

    /** There is no room for the request now; it is worth trying again after the given time. */
    record Throttled(Shortage shortage, String message, long retryAfterMillis) implements Failure {}

    /** What there is not enough of. */
    enum Shortage {
        /** Request units of the physical partition. */
        THROUGHPUT,
        /** Request units that the container gives to a throughput bucket. */
        BUCKET,
        /** Places for scripts that wait. */
        SCRIPTS,
        /** Memory of the server. */
        MEMORY
    }

    /** The request would cost more than its sender is ready to pay. */
    record TooCostly(String message) implements Failure {}

    /** A passing conflict between writers: the same request may succeed when repeated. */
    record RetryWith(String message) implements Failure {}

    /** An operation of the protocol that a later version brings; the message names it. */
    record Unsupported(String message) implements Failure {}

    record Unavailable(String message) implements Failure {}

    /** A bug; the message must not reveal more than that. */
    record Internal(String message) implements Failure {}
}
