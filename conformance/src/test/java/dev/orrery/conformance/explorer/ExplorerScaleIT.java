package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Response;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.WireClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * However much there is, a page reads and shows no more of it; and it fits on every screen. A build takes enough to need
 * several pages; {@code -Dexplorer.containers=10000 -Dexplorer.items=1000000} takes as many as anybody has.
 */
class ExplorerScaleIT {
    private static final int CONTAINERS = Integer.getInteger("explorer.containers", 220);
    private static final int ITEMS = Integer.getInteger("explorer.items", 2_500);
    private static final int BYTES_MAX = 1_000_000;

    @TempDir
    private static Path folder;

    private static OrreryServer server;

    @BeforeAll
    static void start() {
        server = OrreryServer.startInMemory(folder);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aTreeOfManyContainersIsReadAPageAtATime() {
        var client = new WireClient(server);
        client.post("/dbs", "{\"id\":\"many\"}");
        for (int i = 0; i < CONTAINERS; i++) {
            var made = client.post(
                    "/dbs/many/colls",
                    "{\"id\":\"c-%05d\",\"partitionKey\":{\"paths\":[\"/id\"],\"kind\":\"Hash\",\"version\":2}}"
                            .formatted(i));
            assertThat(made.status()).as(made.body()).isEqualTo(201);
        }
        var last = "c-%05d".formatted(CONTAINERS - 1);
        try (var window = ExplorerWindow.open(server, "#/many")) {
            var entries = window.page().locator("[role=tree] [role=treeitem]");
            window.treeItem("many").locator(".twist").first().click();
            window.treeItem("c-00000").waitFor();
            assertThat(entries.count()).isLessThan(110);
            window.treeItem("More …").locator(".row").click();
            window.treeItem("c-00100").waitFor();
            assertThat(entries.count()).isLessThan(210);
            window.page().locator("#find").fill(last);
            window.treeItem(last).locator(".row").click();
            window.awaitText("This container has no items");
            window.page().locator("#find").fill("none is called this");
            window.awaitText("Nothing is called like");
            window.page().reload();
            window.treeItem(last).waitFor();
            assertThat(window.treeItem(last).getAttribute("aria-selected")).isEqualTo("true");
            window.go("#/");
            window.awaitText("Requests since");
            var figures = client.get("/_orrery/status?limit=7").json();
            assertThat(figures.get("containers")).hasSize(7);
            assertThat(figures.get("containerCount").asInt()).isGreaterThanOrEqualTo(CONTAINERS);
            assertThat(client.get("/_orrery/status?database=many&container=" + last)
                            .json()
                            .get("containers"))
                    .hasSize(1);
            assertThat(window.main().locator("tbody tr").count()).isLessThanOrEqualTo(500);
        }
    }

    @Test
    void aPageOfManyItemsIsAsSmallAsOneOfFew() throws IOException {
        var shop = new Shop(server);
        var file = folder.resolve("items.ndjson");
        try (var out = Files.newBufferedWriter(file)) {
            for (int i = 0; i < ITEMS; i++) {
                out.write("{\"id\":\"item-%07d\",\"customer\":\"c%d\",\"n\":%d}%n".formatted(i, i % 1000, i));
            }
        }
        var told = OrreryServer.run(
                folder,
                "import",
                file.toString(),
                "-d",
                shop.database,
                "-c",
                "orders",
                "--endpoint",
                server.http().toString());
        assertThat(told.exitCode()).as(told.output()).isZero();
        var read = new AtomicLong();
        try (var window = ExplorerWindow.open(server, shop.at("items"))) {
            window.page().onResponse(response -> read.addAndGet(length(response)));
            window.awaitText("Items 1 to 100");
            window.button("Next").click();
            window.awaitText("Items 101 to 200");
            window.awaitCount(window.main().locator("tbody tr"), 100);
            window.page().getByLabel("Condition, as after WHERE").fill("c.n = " + (ITEMS - 1));
            window.button("Filter").click();
            window.link("item-%07d".formatted(ITEMS - 1)).waitFor();
            window.go(shop.at("query?q=SELECT+*+FROM+c"));
            window.page().locator(".CodeMirror").waitFor();
            window.button("Run").click();
            window.awaitText("100 rows so far");
            window.button("More rows").click();
            window.awaitText("200 rows so far");
            var ranges = window.page()
                    .waitForResponse(
                            response -> response.url().contains("/_orrery/ranges"), () -> window.go(shop.at("cost")));
            window.awaitText("%,d items".formatted(ITEMS));
            assertThat(ranges.text()).containsOnlyOnce("\"container\"");
            assertThat(read.get()).isLessThan(BYTES_MAX);
        }
    }

    private static long length(Response response) {
        return response.request().url().contains("/_explorer/")
                ? 0
                : Long.parseLong(response.headers().getOrDefault("content-length", "0"));
    }

    @ParameterizedTest
    @CsvSource({"360, 640", "3840, 2160"})
    void everyPageFitsOnEveryScreen(int width, int height) {
        var name = "a-name-that-somebody-made-of-a-branch-and-a-commit-0123456789abcdef-0123456789abcdef-" + width;
        var shop = new Shop(server);
        shop.add(name, "ada", "\"" + name + "\":\"" + "long ".repeat(50) + "\"");
        var client = new WireClient(server);
        client.post("/dbs", "{\"id\":\"" + name + "\"}");
        client.post(
                "/dbs/" + name + "/colls",
                "{\"id\":\"" + name + "\",\"partitionKey\":{\"paths\":[\"/" + name + "\"],\"kind\":\"Hash\"}}");
        var options = new Browser.NewContextOptions().setViewportSize(width, height);
        var pages = List.of("items", "query", "schema", "cost", "changes", "scripts", "data");
        try (var window = ExplorerWindow.open(server, "#/", options)) {
            for (var page : List.of("#/", "#/?page=regions", "#/?page=model", "#/" + name)) {
                fits(window, page);
            }
            for (var page : pages) {
                fits(window, shop.at(page));
                fits(window, "#/" + name + "/" + name + "/" + page);
            }
            fits(window, shop.at("items?item=" + name + "&key=[%22ada%22]"));
        }
    }

    private static void fits(ExplorerWindow window, String page) {
        window.go("#/none");
        window.awaitText("This is not here");
        window.go(page);
        window.main().locator(".page").waitFor();
        assertThat(window.main().locator("[role=alert]:visible").count())
                .as(page)
                .isZero();
        assertThat(window.overflows()).as(page).isFalse();
    }
}
