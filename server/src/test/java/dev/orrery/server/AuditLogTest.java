package dev.orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.gateway.AuditEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    private static final int REFUSALS_OF_MINUTE = 100;

    @TempDir
    private Path folder;

    @Test
    void thoseWhoAreNotLetInCannotFillTheDisk() throws IOException {
        var now = new AtomicReference<>(Instant.parse("2026-11-18T04:00:00Z"));
        var file = folder.resolve("audit.ndjson");
        try (var log = AuditLog.open(file, now::get)) {
            for (int number = 0; number < 1_000; number++) {
                log.accept(entry("Refused", "/dbs/" + number));
                if (number % 100 == 0) {
                    log.accept(entry("DeleteResource", "dbs/" + number));
                }
            }
            now.set(now.get().plusSeconds(60));
            log.accept(entry("Refused", "/dbs/later"));
        }
        var lines = Files.readAllLines(file);
        assertThat(lines).hasSize(REFUSALS_OF_MINUTE + 10 + 1);
        assertThat(lines.stream().filter(line -> line.contains("DeleteResource")))
                .hasSize(10);
        assertThat(lines.stream().filter(line -> line.contains("the last such line of this minute")))
                .singleElement()
                .asString()
                .contains("/dbs/99");
        assertThat(lines.getLast()).contains("/dbs/later");
    }

    private static AuditEntry entry(String operation, String resource) {
        return new AuditEntry("", "/127.0.0.1:1", "", operation, resource, 401, "a");
    }
}
