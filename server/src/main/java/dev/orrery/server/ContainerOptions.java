package dev.orrery.server;

import picocli.CommandLine.Option;

/** Which container a command is about. */
final class ContainerOptions {
    @Option(
            names = {"-d", "--database"},
            required = true,
            paramLabel = "ID",
            description = "Id of the database.")
    private String database;

    @Option(
            names = {"-c", "--container"},
            required = true,
            paramLabel = "ID",
            description = "Id of the container.")
    private String container;

    String database() {
        return database;
    }

    String container() {
        return container;
    }
}
