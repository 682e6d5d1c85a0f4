package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FilePayload;
import dev.orrery.conformance.regions.RegionalAccount;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of the account: its regions, and what a data model does to the cost. */
class ExplorerAccountIT {
    private static final String WEST = "West US";
    private static final String NORTH = "North Europe";

    private static OrreryServer server;

    @BeforeAll
    static void start() {
        server = SharedServer.running();
    }

    @Test
    void anAccountInOnePlaceIsToldHowToHaveSeveral() {
        try (var window = ExplorerWindow.open(server, "#/?page=regions")) {
            window.awaitText("This account has one region");
            window.awaitText("./orrery start --regions");
            assertThat(window.barriers()).isEmpty();
        }
    }

    @Test
    void regionsAreShownDisturbedAndGivenTheWrites(@TempDir Path folder) {
        try (var account = new RegionalAccount(
                        folder, List.of(WEST, NORTH), "--read-only-key", SharedServer.READ_ONLY_KEY);
                var window = ExplorerWindow.open(account.server(WEST), "#/?page=regions")) {
            window.awaitText("You are in West US. It takes the writes.");
            var map = window.main().locator(".map svg");
            assertThat(map.getAttribute("aria-label")).contains("West US takes the writes", "North Europe follows");
            ExplorerPicturesIT.picture(window, "regions", ColorScheme.LIGHT, 980);

            var faults = window.main().getByRole(AriaRole.REGION).last();
            window.button("Cut: North Europe").click();
            faults.getByText("cut", new Locator.GetByTextOptions().setExact(true))
                    .waitFor();
            window.awaitCount(map.locator(".fault"), 1);
            window.button("Delay …: North Europe").click();
            window.dialog().getByLabel("Milliseconds").fill("25");
            window.inDialog("Delay").click();
            window.awaitText("delayed by 25 ms");
            window.button("Heal: North Europe").click();
            window.awaitText("no fault");

            var shop = new Shop(account.server(WEST));
            handOver(window);
            window.awaitText("follows another region, read only");
            account.awaitRole(NORTH, "writes");
            window.go(shop.at("items"));
            window.awaitText("This container has no items");
            assertThat(window.button("New item").count()).isZero();

            window.go("#/?page=regions&live=yes");
            account.order(NORTH, "failover", "--to", WEST);
            window.awaitText("You are in West US. It takes the writes.");
            window.button("Key").click();
            window.dialog().getByLabel("Key").fill(SharedServer.READ_ONLY_KEY);
            window.inDialog("Open").click();
            window.awaitText("read only");
            map.waitFor();
            assertThat(window.main().locator(".region-orders button").count()).isZero();
        }
    }

    /** A region that had no processor for some seconds is refused, and may be named again. */
    private static void handOver(ExplorerWindow window) {
        var done = window.page().getByText("You are in West US. North Europe takes the writes.");
        var refused = window.page().locator(".note.bad");
        while (done.count() == 0) {
            window.button("Give the writes to North Europe").click();
            window.inDialog("Hand over").click();
            window.page().waitForCondition(() -> done.count() + refused.count() > 0);
            if (refused.count() > 0) {
                refused.getByLabel("Dismiss").first().click();
            }
        }
    }

    @Test
    void theModelPageTellsWhatEachRequestTakesAndHowToMeasureIt() {
        try (var window = ExplorerWindow.open(server, "#/?page=model&databases=nowhere")) {
            window.awaitText("./orrery demo blog --keep --endpoint " + server.http());
            window.awaitText("all partitions, two counts a post");
            assertThat(window.barriers()).isEmpty();
            var file = window.page().getByLabel("File with figures");
            file.setInputFiles(
                    new FilePayload("other.json", "application/json", "{\"rows\":1}".getBytes(StandardCharsets.UTF_8)));
            window.awaitText("other.json is not what ./orrery demo blog writes");
            file.setInputFiles(new FilePayload(
                    "blog.json", "application/json", DemoReport.text().getBytes(StandardCharsets.UTF_8)));
            window.page().locator("canvas").waitFor();
            window.awaitTexts(
                    window.main().locator("tbody tr").last(),
                    "Q6 list the most recent posts",
                    "1,827.43",
                    "2,063.54",
                    "118.7 × less");
            window.page().reload();
            window.page().locator("canvas").waitFor();
            window.button("Forget the figures").click();
            window.awaitText("Measure it");
        }
    }

    @Test
    void theModelPageShowsWhatADemoHasLeftHere() {
        DemoReport.leave(server, "kept");
        try (var window = ExplorerWindow.dark(server, "#/?page=model&databases=kept")) {
            window.page().locator("canvas").waitFor();
            window.awaitText("10 users, 58,698 items loaded in all");
            window.awaitText("in 2,021 copies after 4.4 s");
            assertThat(window.button("Forget the figures").count()).isZero();
            assertThat(window.main().locator("td.costly").count()).isPositive();
            assertThat(window.barriers()).isEmpty();
            window.button("Milliseconds").click();
            assertThat(window.page().url()).contains("measure=ms");
            window.link("See it in kept-v3").click();
            window.awaitText("This database has no containers");
        }
    }

    @Test
    void databasesAndContainersAreMadeWithAllTheirSettings() {
        var name = "made-" + UUID.randomUUID();
        var client = new WireClient(server);
        try (var window = ExplorerWindow.open(server, "#/")) {
            window.button("New database").click();
            window.inDialog("Cancel").click();
            window.button("New database").click();
            window.dialog().getByLabel("Name").fill(name);
            window.dialog().getByLabel("Throughput").selectOption("autoscale");
            window.dialog().getByLabel("RU/s").first().fill("2000");
            window.inDialog("Make it").click();
            window.awaitText("This database has no containers");

            window.button("New container").click();
            window.dialog().getByLabel("Name").fill("people");
            window.dialog().getByLabel("Partition key").fill("/country, /city");
            window.dialog().getByLabel("Throughput").selectOption("none");
            window.dialog().getByText("Unique keys and time to live").click();
            window.dialog().getByLabel("Unique keys").fill("/email; /street, /number");
            window.dialog().getByLabel("Time to live").fill("-1");
            window.inDialog("Make it").click();
            window.awaitText("This container has no items");
        }
        var made = client.get("/dbs/" + name + "/colls/people").json();
        assertThat(made.at("/partitionKey/paths").toString()).isEqualTo("[\"/country\",\"/city\"]");
        assertThat(made.at("/uniqueKeyPolicy/uniqueKeys").toString())
                .isEqualTo("[{\"paths\":[\"/email\"]},{\"paths\":[\"/street\",\"/number\"]}]");
        assertThat(made.get("defaultTtl").asInt()).isEqualTo(-1);
        var throughput = client.get("/_orrery/status?database=" + name)
                .json()
                .at("/containers/0/throughput")
                .toString();
        assertThat(throughput).contains("\"autoscale\"", "2000", "\"shared\":true");
    }

    @Test
    void theWayBackLeavesAQuestionUnanswered() {
        var shop = new Shop(server);
        try (var window = ExplorerWindow.open(server, "#/")) {
            window.awaitText("Requests since");
            window.go("#/" + shop.database);
            window.button("New container").click();
            window.dialog().waitFor();
            window.page().goBack();
            window.awaitText("Requests since");
            assertThat(window.dialog().count()).isZero();
        }
    }

    @Test
    void containersAreFoundInAllDatabases() {
        var shop = new Shop(server);
        var name = "needle-" + UUID.randomUUID();
        shop.client()
                .post(
                        "/dbs/" + shop.database + "/colls",
                        "{\"id\":\"" + name + "\",\"partitionKey\":{\"paths\":[\"/id\"],\"kind\":\"Hash\"}}");
        try (var window = ExplorerWindow.open(server, "#/")) {
            window.awaitText("Requests since");
            var asked = new ArrayList<String>();
            window.page().onRequest(request -> asked.add(request.url()));
            window.page().locator("#find").fill(name.toUpperCase(Locale.ROOT));
            window.treeItem(name).locator(".row").click();
            window.awaitText("This container has no items");
            assertThat(asked.stream().filter(url -> url.contains("like="))).hasSize(1);
        }
    }
}
