package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A region that does not belong to an account is refused, and both sides say why. */
class StrangersIT {
    private static final String OTHER_KEY = Base64.getEncoder().encodeToString(new byte[64]);
    private static final int WEST_PORT = OrreryServer.freePort();
    private static final int NORTH_PORT = OrreryServer.freePort();
    private static final String REGIONS =
            "West US=http://localhost:" + WEST_PORT + ",North Europe=http://localhost:" + NORTH_PORT;

    @TempDir
    private static Path folder;

    private static OrreryServer west;

    @BeforeAll
    static void start() {
        west = OrreryServer.startOn(
                WEST_PORT,
                folder.resolve("west"),
                "--region",
                "West US",
                "--regions",
                REGIONS,
                "--default-consistency",
                "BoundedStaleness",
                "--staleness-versions",
                "1000",
                "--staleness-seconds",
                "30");
    }

    @AfterAll
    static void stop() {
        west.close();
    }

    private static OrreryServer stranger(String name, String... options) {
        var all = new ArrayList<>(List.of("--region", "North Europe", "--regions", REGIONS));
        all.addAll(List.of(options));
        return OrreryServer.startOn(NORTH_PORT, folder.resolve(name), all.toArray(String[]::new));
    }

    private static void awaitLine(OrreryServer server, String part) {
        Await.until("the log says: " + part, () -> server.log().lines().stream().anyMatch(line -> line.contains(part)));
    }

    @Test
    void anotherKeyIsRefusedAndBothSaySo() {
        try (var north = stranger("other-key", "--key", OTHER_KEY)) {
            awaitLine(west, "not signed with a key of this account");
            awaitLine(north, "not signed with a key of this account");
            // What it does not know it does not deny.
            var reply = new WireClient(NORTH_PORT, OTHER_KEY).get("/dbs/d");
            assertThat(reply.status()).isEqualTo(503);
        }
    }

    @Test
    void anotherAccountIsRefusedAndBothSaySo() {
        try (var north = stranger("other-account", "--account", "elsewhere")) {
            awaitLine(west, "belongs to the account 'elsewhere', not to 'orrery'");
            awaitLine(north, "belongs to the account 'orrery', not to 'elsewhere'");
        }
    }

    @Test
    void linksToOtherMachinesMustBeEncrypted() {
        var said = OrreryServer.run(
                folder,
                "start",
                "--region",
                "A",
                "--regions",
                "A=http://localhost:8081,B=http://b.example.invalid:8081");
        assertThat(said.exitCode()).isNotZero();
        assertThat(said.output()).contains("without encryption").contains("say https");
    }

    @Test
    void whatClientsAreToldIsNotSaidTwice() {
        var said = OrreryServer.run(
                folder,
                "start",
                "--region",
                "A",
                "--regions",
                "A=https://a.example.invalid:8081,B=https://b.example.invalid:8081",
                "--advertise",
                "https://shop.example.invalid:8081");
        assertThat(said.exitCode()).isNotZero();
        assertThat(said.output()).contains("--advertise has no meaning beside --regions");
    }

    @Test
    void theAccountTellsItsBoundOfStaleness() {
        var policy = new WireClient(west).get("/").json().path("userConsistencyPolicy");
        assertThat(policy.path("defaultConsistencyLevel").asText()).isEqualTo("BoundedStaleness");
        assertThat(policy.path("maxStalenessPrefix").asInt()).isEqualTo(1000);
        assertThat(policy.path("maxIntervalInSeconds").asInt()).isEqualTo(30);
    }

    @Test
    void faultsAreRefusedUnlessTheyWereAllowed() {
        var said = OrreryServer.run(
                folder,
                "fault",
                "cut",
                "--from",
                "West US",
                "--to",
                "North Europe",
                "--endpoint",
                west.http().toString());
        assertThat(said.exitCode()).isNotZero();
        assertThat(said.output()).contains("--allow-faults");
    }
}
