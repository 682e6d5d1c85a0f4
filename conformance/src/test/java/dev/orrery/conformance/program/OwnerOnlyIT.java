package dev.orrery.conformance.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a server keeps is for its owner's eyes only. */
class OwnerOnlyIT {
    @TempDir
    Path folder;

    @BeforeEach
    void onlyWhereFilesHaveRights() throws IOException {
        Assumptions.assumeTrue(Files.getFileStore(folder).supportsFileAttributeView("posix"));
    }

    @Test
    void nobodyElseCanReadWhatIsKept() throws IOException {
        var data = folder.resolve("data");
        try (var server = OrreryServer.start(data)) {
            assertThat(new WireClient(server).post("/dbs", "{\"id\":\"d\"}").status())
                    .isEqualTo(201);
            assertOwnerOnly(data);
            server.stop();
            assertOwnerOnly(data);
        }
    }

    @Test
    void aFolderOfAnOlderVersionIsClosed() throws IOException {
        var data = folder.resolve("data");
        try (var server = OrreryServer.start(data)) {
            server.stop();
            try (var paths = Files.walk(data)) {
                for (var path : paths.toList()) {
                    Files.setPosixFilePermissions(
                            path, PosixFilePermissions.fromString(Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
                }
            }
            server.restart();
            assertOwnerOnly(data);
        }
    }

    private static void assertOwnerOnly(Path data) throws IOException {
        try (var paths = Files.walk(data)) {
            var all = paths.toList();
            assertThat(all).hasSizeGreaterThan(5);
            for (var path : all) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                        .as(path.toString())
                        .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------");
            }
        }
    }
}
