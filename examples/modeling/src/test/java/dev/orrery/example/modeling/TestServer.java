package dev.orrery.example.modeling;

import dev.orrery.example.common.Account;
import dev.orrery.example.common.LocalServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One server for all tests of this run, which ends with it. */
final class TestServer {
    private static final int REQUEST_UNITS_PER_SECOND = 6_000;
    private static final Account ACCOUNT = start();

    private TestServer() {}

    /** A workbench in a database of its own; charges do not depend on how often something is done, so that once will do. */
    static Workbench bench(String database) {
        return new Workbench(ACCOUNT.createDatabase(database), 1, REQUEST_UNITS_PER_SECOND);
    }

    private static Account start() {
        try {
            var log = Files.createDirectories(Path.of("target")).resolve("server.log");
            var server = LocalServer.start(Path.of(System.getProperty("orrery.home")), log, "--memory");
            return new Account(server.endpoint(), LocalServer.KEY);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
