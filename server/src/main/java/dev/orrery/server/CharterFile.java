package dev.orrery.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.region.Charter;
import dev.orrery.region.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Optional;

/** Keeps the charter of an account beside the data of a region, as JSON that people can read. */
record CharterFile(Path path) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static CharterFile in(Path folder) {
        return new CharterFile(folder.resolve("regions.json"));
    }

    Optional<Charter> load() {
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        try {
            return Optional.of(read(JSON.readTree(Files.readString(path))));
        } catch (IOException | RuntimeException damaged) {
            throw new UserError("The regions of the account cannot be read from " + path + ": " + damaged.getMessage()
                    + ". Remove the file to begin with those of the command line.");
        }
    }

    /** The other regions look for one where it was counted in, so it cannot simply start somewhere else. */
    static void demandPlace(Charter charter, Member told) {
        charter.find(told.name())
                .filter(known -> !known.endpoint().equals(told.endpoint())
                        || !known.council().equals(told.council()))
                .ifPresent(known -> {
                    throw new UserError("The other regions of the account look for " + known.name() + " at "
                            + RegionOptions.address(known) + ", and not at " + RegionOptions.address(told)
                            + ". Start it where it was, by --port or --regions; or give another folder with --data. To"
                            + " move it for good, count it out and in again: 'orrery region remove' and 'add'.");
                });
    }

    /** Durable when this returns: all of it or nothing. */
    void save(Charter charter) {
        var next = path.resolveSibling(path.getFileName() + ".next");
        try {
            Files.writeString(next, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(json(charter)));
            try (var file = FileChannel.open(next, StandardOpenOption.WRITE)) {
                file.force(true);
            }
            Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException unable) {
            throw new UncheckedIOException("cannot keep the regions of the account in " + path, unable);
        }
    }

    private static JsonNode json(Charter charter) {
        var json = JSON.createObjectNode()
                .put("version", charter.version())
                .put("epoch", charter.epoch())
                .put("writeRegion", charter.writeRegion());
        var members = json.putArray("regions");
        charter.members()
                .forEach(member -> members.addObject()
                        .put("name", member.name())
                        .put("number", member.number())
                        .put("endpoint", member.endpoint())
                        .put("council", member.council())
                        .put("witness", member.isWitness()));
        var strong = json.putArray("strongSet");
        charter.strongSet().forEach(strong::add);
        return json.put("voted", charter.isVoted())
                .put("numbers", charter.numbers())
                .put("multipleWriteRegions", charter.isMultiWrite());
    }

    private static Charter read(JsonNode json) {
        var members = new ArrayList<Member>();
        json.required("regions")
                .forEach(member -> members.add(new Member(
                        member.required("name").asText(),
                        member.required("number").asInt(),
                        member.required("endpoint").asText(),
                        member.required("council").asText(),
                        member.required("witness").asBoolean())));
        var strong = new HashSet<String>();
        json.required("strongSet").forEach(name -> strong.add(name.asText()));
        return new Charter(
                json.required("version").asLong(),
                json.required("epoch").asLong(),
                json.required("writeRegion").asText(),
                members,
                strong,
                json.required("voted").asBoolean(),
                json.required("numbers").asInt(),
                json.path("multipleWriteRegions").asBoolean(false));
    }
}
