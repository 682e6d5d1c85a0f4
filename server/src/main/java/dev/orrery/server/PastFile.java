package dev.orrery.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.region.Past;
import dev.orrery.region.RegionStatus.Failover;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps what a region has lived through beside its data, for people: nothing else depends on it. */
record PastFile(Path path) implements Past.Diary {
    private static final Logger LOG = LoggerFactory.getLogger(PastFile.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    static PastFile in(Path folder) {
        return new PastFile(folder.resolve("failovers.json"));
    }

    @Override
    public Past read() {
        try {
            if (!Files.exists(path)) {
                return Past.NONE;
            }
            var json = JSON.readTree(Files.readString(path));
            var last = json.path("lastFailover");
            var at = last.path("at");
            return new Past(
                    last.isMissingNode()
                            ? Optional.empty()
                            : Optional.of(new Failover(
                                    last.path("epoch").asLong(),
                                    last.path("to").asText(),
                                    at.isMissingNode() ? Optional.empty() : Optional.of(at.asLong()))),
                    json.path("lostChanges").asLong());
        } catch (IOException unreadable) {
            LOG.warn("What this region has lived through cannot be read from {}", path, unreadable);
            return Past.NONE;
        }
    }

    @Override
    public void write(Past past) {
        var json = JSON.createObjectNode().put("lostChanges", past.lostChanges());
        past.lastFailover().ifPresent(last -> RunningRegion.put(json, last));
        var next = path.resolveSibling(path.getFileName() + ".next");
        try {
            Files.writeString(next, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json));
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException unable) {
            LOG.warn("What this region has lived through cannot be kept in {}", path, unable);
        }
    }
}
