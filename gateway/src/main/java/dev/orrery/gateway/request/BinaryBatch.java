package dev.orrery.gateway.request;

import dev.orrery.gateway.binaryjson.BinaryJson;
import dev.orrery.gateway.hybridrow.OperationRow;
import dev.orrery.gateway.hybridrow.RecordStream;
import dev.orrery.gateway.request.BatchEntry.Kind;
import java.util.Iterator;

/** Reads a batch in the binary form that the .NET SDK sends, for transactional batches and for bulk. */
final class BinaryBatch {
    /** What the SDKs call a resource of the type item. */
    private static final int DOCUMENT = 2;

    private BinaryBatch() {}

    static Iterator<BatchEntry> entries(byte[] body) {
        var records = new RecordStream(body);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return records.hasNext();
            }

            @Override
            public BatchEntry next() {
                return entry(OperationRow.decode(records.next()));
            }
        };
    }

    private static BatchEntry entry(OperationRow row) {
        if (row.resourceType().filter(type -> type == DOCUMENT).isEmpty()) {
            throw BatchEntry.bad("Its resourceType must be " + DOCUMENT + ", an item.");
        }
        if (row.hasEffectivePartitionKey() && row.partitionKey().isEmpty()) {
            throw BatchEntry.bad("It has an effectivePartitionKey instead of a partitionKey, which is not supported.");
        }
        if (row.hasBinaryId() && row.id().isEmpty()) {
            throw BatchEntry.bad("It has a binaryId instead of an id, which is not supported.");
        }
        if (row.hasTimeToLive()) {
            throw BatchEntry.bad(
                    "It has a timeToLiveInSeconds, which is not supported: the item itself may have a ttl.");
        }
        return new BatchEntry(
                kind(row),
                row.id(),
                row.partitionKey(),
                row.ifMatch(),
                row.ifNoneMatch(),
                row.indexingDirective(),
                row.resourceBody().map(BinaryJson::text),
                row.minimalReturnPreference());
    }

    private static Kind kind(OperationRow row) {
        int type = row.operationType().orElseThrow(() -> BatchEntry.bad("It has no operationType."));
        return switch (type) {
            case 0 -> Kind.CREATE;
            case 1 -> Kind.PATCH;
            case 2 -> Kind.READ;
            case 4 -> Kind.DELETE;
            case 5 -> Kind.REPLACE;
            case 20 -> Kind.UPSERT;
            default -> throw BatchEntry.bad("It has an operationType that does not exist: " + type);
        };
    }
}
