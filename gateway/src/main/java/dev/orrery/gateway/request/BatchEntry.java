package dev.orrery.gateway.request;

import dev.orrery.engine.operation.Operation.BatchAction;
import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Operation.ItemWrite;
import dev.orrery.engine.operation.Operation.Precondition;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonPatch;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.key.PartitionKey;
import java.util.Optional;

/** One operation as the body of a batch has it, whichever form that body has; an empty text counts as absent. */
record BatchEntry(
        Kind kind,
        Optional<String> id,
        Optional<String> partitionKey,
        Optional<String> ifMatch,
        Optional<String> ifNoneMatch,
        Optional<String> indexingDirective,
        Optional<byte[]> resourceBody,
        boolean minimal) {

    BatchEntry {
        id = id.filter(text -> !text.isEmpty());
        partitionKey = partitionKey.filter(text -> !text.isEmpty());
        ifMatch = ifMatch.filter(text -> !text.isEmpty());
        ifNoneMatch = ifNoneMatch.filter(text -> !text.isEmpty());
        indexingDirective = indexingDirective.filter(text -> !text.isEmpty());
    }

    enum Kind {
        CREATE,
        PATCH,
        READ,
        DELETE,
        REPLACE,
        UPSERT
    }

    BatchItem item() {
        return new BatchItem(action(), partitionKey.map(PartitionKey::parse), minimal);
    }

    private BatchAction action() {
        var precondition = new Precondition(ifMatch, ifNoneMatch);
        return switch (kind) {
            // A read knows one condition only, whichever name it comes under: what the client has already.
            case READ ->
                new BatchAction.Read(idRequired(), new Precondition(Optional.empty(), ifNoneMatch.or(() -> ifMatch)));
            case CREATE -> write(new ItemWrite.Create(text(), precondition));
            case UPSERT -> write(new ItemWrite.Upsert(text(), precondition));
            case REPLACE -> write(new ItemWrite.Replace(idRequired(), text(), precondition));
            case DELETE -> write(new ItemWrite.Delete(idRequired(), precondition));
            case PATCH ->
                write(new ItemWrite.Patch(idRequired(), JsonPatch.parse(JsonReader.parse(text())), precondition));
        };
    }

    private BatchAction write(ItemWrite write) {
        return new BatchAction.Write(write, Directives.of(indexingDirective));
    }

    private String idRequired() {
        return id.orElseThrow(() -> bad("It names an existing item and has no id."));
    }

    /** The text as it was sent; whether it is a proper item is for the engine to say. */
    private byte[] text() {
        return resourceBody.orElseThrow(() -> bad("It writes an item and has no resourceBody."));
    }

    static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
