package dev.orrery.gateway;

import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Operation.ItemWrite;

/** What operations are called in logs and metrics. */
final class OperationNames {
    private OperationNames() {}

    static String of(Operation operation) {
        return switch (operation) {
            case Operation.CreateResource _ -> "CreateResource";
            case Operation.ReadResource read -> read.address().isAccount() ? "ReadAccount" : "ReadResource";
            case Operation.ReplaceResource _ -> "ReplaceResource";
            case Operation.DeleteResource _ -> "DeleteResource";
            case Operation.ListResources _ -> "ListResources";
            case Operation.QueryResources _ -> "QueryResources";
            case Operation.ReadRanges _ -> "ReadRanges";
            case Operation.ReadProgress _ -> "ReadProgress";
            case Operation.ReadItem _ -> "ReadItem";
            case Operation.WriteItem write ->
                switch (write.write()) {
                    case ItemWrite.Create _ -> "CreateItem";
                    case ItemWrite.Upsert _ -> "UpsertItem";
                    case ItemWrite.Replace _ -> "ReplaceItem";
                    case ItemWrite.Patch _ -> "PatchItem";
                    case ItemWrite.Delete _ -> "DeleteItem";
                };
            case Operation.ExecuteProcedure _ -> "ExecuteProcedure";
            case Operation.DeletePartition _ -> "DeletePartition";
            case Operation.ListItems _ -> "ListItems";
            case Operation.ReadChanges _ -> "ReadChanges";
            case Operation.QueryItems _ -> "QueryItems";
            case Operation.PlanQuery _ -> "PlanQuery";
            case Operation.Batch _ -> "Batch";
        };
    }
}
