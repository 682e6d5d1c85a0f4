package dev.orrery.engine.script;

import java.util.Optional;

/** What a script may do with the items of its logical partition. For the thread of the script alone. */
public interface ScriptHost {

    /** Told when a script begins to run, from which on its time counts: making ready for it may have taken a while. */
    void begin();

    /** The rid link of the container, with a slash at its end. */
    String selfLink();

    /** The link of the container in names, without. */
    String altLink();

    /** The JSON of the definition of the container's partition key. */
    String partitionKeyDefinition();

    /** What a container may hold, and what the range of the script holds: a list of {@code name=value}, sizes in KB. */
    String quota();

    String usage();

    /** Carries out an operation; empty when the script has no time or room left for it and should come to an end. */
    Optional<Reply> perform(Operation operation);

    sealed interface Operation {
        record Read(DocumentLink link, String ifNoneMatch) implements Operation {}

        record List(int pageSize, String continuation) implements Operation {}

        /** {@code query} is an object with text and parameters, as over the wire. */
        record Query(String query, int pageSize, String continuation) implements Operation {}

        record Create(String body) implements Operation {}

        record Upsert(String body, String ifMatch) implements Operation {}

        record Replace(DocumentLink link, String body, String ifMatch) implements Operation {}

        /** {@code patch} is an array of operations, or an object with such an array and a condition. */
        record Patch(DocumentLink link, String patch, String ifMatch) implements Operation {}

        record Delete(DocumentLink link, String ifMatch) implements Operation {}

        /** Any of the calls about attachments, which do not exist any more. */
        record Attachment() implements Operation {}
    }

    /** An item named by its id or by its rid. */
    record DocumentLink(boolean byRid, String name) {}

    /**
     * What came of an operation.
     *
     * @param status as a client would see it
     * @param body JSON, or why the operation was refused
     */
    record Reply(int status, String body, String continuation, String etag, double charge) {}
}
