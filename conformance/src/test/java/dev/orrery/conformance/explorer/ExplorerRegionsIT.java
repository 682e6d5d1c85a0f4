package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.options.ColorScheme;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.regions.RegionalAccount;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An account that all its regions write to: what may be done where, and what becomes of conflicts. */
class ExplorerRegionsIT {
    private static final String WEST = "West US";
    private static final String NORTH = "North Europe";

    private static RegionalAccount account;
    private static WireClient hub;
    private static WireClient other;

    @BeforeAll
    static void start(@TempDir Path folder) {
        account = new RegionalAccount(folder, List.of(WEST, NORTH), "--multi-write");
        hub = new WireClient(account.server(WEST));
        other = new WireClient(account.server(NORTH));
        for (var region : List.of(hub, other)) {
            Await.until(
                    "the region takes items",
                    () -> region.get("/_orrery/regions")
                            .json()
                            .path("takesItems")
                            .asBoolean());
        }
    }

    @AfterAll
    static void stop() {
        account.close();
    }

    @Test
    void itemsAreEditedInEveryRegionAndAllElseIsChangedInTheHub() {
        var shop = new Shop(account.server(WEST));
        awaitThere(shop.path());
        try (var window = ExplorerWindow.dark(account.server(NORTH), shop.at("items"))) {
            window.awaitText("This container has no items");
            window.awaitText("takes items; all else is changed in West US");
            window.button("New item").click();
            window.edit(0, "{\"id\":\"one\",\"customer\":\"ada\"}");
            window.button("Save").click();
            window.awaitText("Saved for");
            assertThat(item(other, shop.path(), "one").path("customer").asText())
                    .isEqualTo("ada");

            window.go(shop.at("scripts"));
            window.awaitText("Scripts are changed in");
            assertThat(window.button("New procedure").count()).isZero();
            assertThat(window.link(WEST).getAttribute("href"))
                    .isEqualTo(account.server(WEST).http() + "/_explorer/" + shop.at("scripts"));
            window.go(shop.at("cost"));
            window.awaitText("Settings are changed in");
            assertThat(window.button("Delete container").count()).isZero();
            assertThat(window.barriers()).isEmpty();
            window.go("#/");
            window.awaitText("Databases are changed in");
            assertThat(window.button("New database").count()).isZero();

            window.go("#/?page=regions");
            window.awaitText("You are in North Europe. All regions take writes of items. West US is the hub");
            var map = window.main().locator(".map svg");
            assertThat(map.getAttribute("aria-label"))
                    .contains("West US takes items, is the hub", "North Europe takes items");
            assertThat(window.button("Make North Europe the hub").count()).isEqualTo(1);
            window.awaitText("Not settled yet");
            ExplorerPicturesIT.picture(window, "regions-writing", ColorScheme.DARK, 1060);
        }
        try (var window = ExplorerWindow.open(account.server(WEST), shop.at("scripts"))) {
            window.button("New procedure").waitFor();
            assertThat(window.main().locator(".elsewhere").count()).isZero();
            window.go("#/?page=regions");
            window.awaitText("All regions take writes of items. It is the hub");
            window.awaitText("accepted");
        }
    }

    @Test
    void whatLostAConflictIsWrittenBackAndItsEntryDeleted() {
        var database = new Shop(account.server(WEST)).database;
        var made = hub.post(
                "/dbs/" + database + "/colls",
                "{\"id\":\"feed\",\"partitionKey\":{\"paths\":[\"/customer\"],\"kind\":\"Hash\"},"
                        + "\"conflictResolutionPolicy\":{\"mode\":\"Custom\"}}");
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        var path = "/dbs/" + database + "/colls/feed";
        awaitThere(path);
        fault("cut");
        try {
            put(hub, path, 1);
            put(other, path, 2);
        } finally {
            fault("heal");
        }
        Await.until("the conflict is told", () -> conflicts(path).size() == 1);
        var id = conflicts(path).get(0).path("id").asText();
        long stays = item(hub, path, "both").path("n").asLong();
        long lost = 3 - stays;
        try (var window = ExplorerWindow.open(account.server(WEST), "#/" + database + "/feed/conflict?id=" + id)) {
            window.awaitText("The version that lost");
            window.awaitTexts(window.main().locator(".versions section").first(), "\"n\": " + lost);
            window.awaitTexts(window.main().locator(".versions section").last(), "\"n\": " + stays);
            assertThat(window.barriers()).isEmpty();
            window.button("Write it back").click();
            window.inDialog("Cancel").click();
            assertThat(item(hub, path, "both").path("n").asLong()).isEqualTo(stays);
            window.button("Write it back").click();
            window.inDialog("Write it").click();
            window.awaitText("Wrote both back for");
            assertThat(item(hub, path, "both").path("n").asLong()).isEqualTo(lost);
            window.button("Undo").click();
            window.awaitText("both is as it was before.");
            assertThat(item(hub, path, "both").path("n").asLong()).isEqualTo(stays);
            window.button("Delete the entry").click();
            window.inDialog("Delete").click();
            window.awaitText("Deleted the entry.");
            window.link("both").waitFor();
        }
        assertThat(conflicts(path)).isEmpty();
    }

    private static void fault(String kind) {
        account.fault(WEST, NORTH, kind, 0);
        account.fault(NORTH, WEST, kind, 0);
    }

    private static void awaitThere(String path) {
        Await.until("the other region has " + path, () -> other.get(path).status() == 200);
    }

    private static JsonNode conflicts(String path) {
        return hub.get(path + "/conflicts").json().path("Conflicts");
    }

    private static void put(WireClient region, String path, int n) {
        var reply = region.send(WireRequest.of("POST", path + "/docs")
                .header("x-ms-documentdb-partitionkey", "[\"ada\"]")
                .body("{\"id\":\"both\",\"customer\":\"ada\",\"n\":" + n + "}"));
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    }

    private static JsonNode item(WireClient region, String path, String id) {
        return region.send(
                        WireRequest.of("GET", path + "/docs/" + id).header("x-ms-documentdb-partitionkey", "[\"ada\"]"))
                .json();
    }
}
