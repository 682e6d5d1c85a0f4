package dev.orrery.server.transfer;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What to import, and how.
 *
 * @param start where to begin
 * @param resumed whether an earlier run may have sent more than the checkpoint knows of
 * @param checkpointFile where to write how far it has come
 * @param errorsMax the import gives up when more records than that were refused
 */
public record ImportPlan(
        List<Source> sources,
        CsvOptions csv,
        Conflict conflict,
        boolean generateIds,
        int connections,
        long errorsMax,
        Checkpoint start,
        boolean resumed,
        Optional<Path> checkpointFile) {
    public ImportPlan {
        sources = List.copyOf(sources);
    }
}
