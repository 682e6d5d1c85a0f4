package dev.orrery.gateway.request;

import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.gateway.hybridrow.RecordStream;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Reads the body of a batch: a JSON array with one object for each operation, or the binary form of the .NET SDK. */
final class BatchReader {
    private BatchReader() {}

    static List<BatchItem> read(byte[] body) {
        if (body.length > Limits.BATCH_BYTES_MAX) {
            throw new FailureException(new Failure.TooLarge(
                    "A batch may have " + Limits.BATCH_BYTES_MAX + " bytes, this one has " + body.length + "."));
        }
        return items(RecordStream.begins(body) ? BinaryBatch.entries(body) : JsonBatch.entries(body));
    }

    /** Entries are read one by one, so that a refusal can say which one it is about. */
    private static List<BatchItem> items(Iterator<BatchEntry> entries) {
        var items = new ArrayList<BatchItem>();
        while (entries.hasNext()) {
            if (items.size() == Limits.BATCH_OPERATIONS_MAX) {
                throw BatchEntry.bad(
                        "A batch may have " + Limits.BATCH_OPERATIONS_MAX + " operations, this one has more.");
            }
            try {
                items.add(entries.next().item());
            } catch (FailureException refused) {
                throw numbered(items.size() + 1, refused);
            }
        }
        if (items.isEmpty()) {
            throw BatchEntry.bad("A batch must have at least one operation.");
        }
        return items;
    }

    private static FailureException numbered(int number, FailureException refused) {
        return refused.failure() instanceof Failure.BadRequest(var message)
                ? BatchEntry.bad("Operation " + number + " of the batch (the first is 1): " + message)
                : refused;
    }
}
