package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Takes the pictures of docs/explorer.md, and has axe look at the same pages. They go to the folder for what is built;
 * {@code -Dexplorer.pictures=../docs/images} puts them into the docs.
 */
class ExplorerPicturesIT {
    private static final Path PICTURES = Path.of(System.getProperty("explorer.pictures", "target/pictures"));
    private static final int WIDTH = 1280;
    private static final int HEIGHT = 800;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOTALS = "SELECT c.customer, SUM(c.total) AS total FROM c GROUP BY c.customer";
    private static final List<String> CUSTOMERS = List.of("ada", "bob", "cleo", "dan", "eve");

    private static OrreryServer server;
    private static Shop shop;

    @BeforeAll
    static void start(@TempDir Path folder) {
        server = OrreryServer.startInMemory(folder);
        shop = new Shop(server, 18_000, "shop");
        for (int i = 0; i < 60; i++) {
            var customer = CUSTOMERS.get(i % CUSTOMERS.size());
            shop.add(
                    "order-" + (1000 + i),
                    customer,
                    "\"total\":" + (i * 37 % 100) + ".50,\"paid\":" + (i % 3 == 0)
                            + ",\"address\":{\"city\":\"Bern\",\"zip\":\"" + (3000 + i)
                            + "\"},\"lines\":[{\"article\":\"tea\",\"count\":" + (i % 4 + 1) + "}]");
        }
        var made = shop.client()
                .post(
                        shop.path() + "/sprocs",
                        "{\"id\":\"greet\",\"body\":\"function (name) {\\n  console.log('greeting ' + name);\\n"
                                + "  getContext().getResponse().setBody('hello ' + name);\\n}\"}");
        assertThat(made.status()).isEqualTo(201);
        DemoReport.leave(server, "blog");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void theMainPagesAreShownInBothThemes() {
        for (var theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            var options = new Browser.NewContextOptions()
                    .setViewportSize(WIDTH, HEIGHT)
                    .setColorScheme(theme);
            try (var window = ExplorerWindow.open(server, "", options)) {
                window.awaitText("Requests since");
                picture(window, "account", theme);
                window.go("#/?page=model");
                window.page().locator("canvas").waitFor();
                picture(window, "model", theme, 1290);
                window.go(shop.at("items?item=order-1010&key=[%22ada%22]"));
                window.page().locator(".CodeMirror").waitFor();
                picture(window, "items", theme);
                window.go(shop.at("query?view=Chart&q=" + encoded(TOTALS)));
                window.page().locator(".CodeMirror").waitFor();
                window.button("Run").click();
                window.page().locator("canvas").waitFor();
                picture(window, "query", theme);
                window.go(shop.at(
                        "query?q=" + encoded("SELECT * FROM c WHERE c.total > 80 AND c.paid ORDER BY c.total DESC")));
                Await.until("the other query is there", () -> window.edited(0).contains("c.paid"));
                window.button("Explain").click();
                window.page().locator(".plan").waitFor();
                picture(window, "plan", theme);
                window.button("Tree").click();
                window.main().locator(".json-tree summary").first().waitFor();
                picture(window, "tree", theme);
                window.edit(0, "SELECT * FROM c ORDER BY c.total, c.paid");
                window.button("Run").click();
                window.button("Add to the policy").waitFor();
                picture(window, "refused", theme);
                window.go(shop.at("schema"));
                window.awaitText("60 items written last");
                picture(window, "schema", theme, 620);
                cost(window);
                picture(window, "cost", theme, 910);
                window.page().unrouteAll();
                window.go(shop.at("changes?from=beginning"));
                window.awaitText("Following · 60 changes");
                picture(window, "changes", theme);
                window.go(shop.at("procedure?id=greet"));
                window.page().locator(".CodeMirror").waitFor();
                window.page().getByLabel("Partition key").fill("\"ada\"");
                window.page().getByLabel("Arguments").fill("[\"Ada\"]");
                window.button("Run").click();
                window.awaitText("Done for");
                picture(window, "script", theme);
                window.go(shop.at("data"));
                window.awaitText("Drop files here");
                picture(window, "data", theme);
                window.main().focus();
                window.page().keyboard().press("?");
                window.dialog().waitFor();
                picture(window, "help", theme);
                window.go("#/" + shop.database);
                window.button("New container").click();
                window.dialog().getByText("Unique keys and time to live").click();
                picture(window, "making", theme);
                conflict(window);
                picture(window, "conflict", theme, 640);
            }
        }
    }

    /** An hour of work, which nobody waits for: its figures are made up, and put into what the server says. */
    private static void cost(ExplorerWindow window) {
        window.page()
                .route(
                        url -> url.contains("/_orrery/ranges"),
                        route -> change(route, report -> {
                            var ranges = report.at("/containers/0/ranges");
                            for (int i = 0; i < ranges.size(); i++) {
                                var range = (ObjectNode) ranges.get(i);
                                var minutes = (ArrayNode) range.get("minutes");
                                double all = 0;
                                for (int minute = 0; minute < minutes.size(); minute++) {
                                    double used =
                                            (i == 1 ? 80 : 20) * minute * (52 + minute * 31 % 17 + i * minute % 5);
                                    minutes.set(minute, used);
                                    all += used;
                                }
                                range.put("requestUnits", all).put("peak", i == 1 ? 5_380.5 : 1_610.25 + 95 * i);
                            }
                        }));
        window.page()
                .route(
                        url -> url.contains("/_orrery/status"),
                        route -> change(route, report -> {
                            var figures = (ObjectNode) report.at("/containers/0");
                            figures.put("requests", 2_184_602)
                                    .put("requestUnits", 18_731_404)
                                    .put("p50Millis", 0.41)
                                    .put("p99Millis", 2.86);
                        }));
        window.go(shop.at("cost"));
        window.awaitText("of its throughput");
        window.page().locator("canvas").waitFor();
        window.page().locator(".CodeMirror").waitFor();
    }

    private static void change(Route route, Consumer<ObjectNode> change) {
        try {
            var report = (ObjectNode) JSON.readTree(route.fetch().body());
            change.accept(report);
            route.fulfill(new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(report.toString()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Two people write one item; the second one sees both versions. */
    private static void conflict(ExplorerWindow window) {
        window.go(shop.at("items?item=order-1002&key=[%22cleo%22]"));
        Await.until(
                "the item is there",
                () -> window.page().locator(".CodeMirror").count() == 1
                        && window.edited(0).contains("order-1002"));
        window.edit(0, window.edited(0).replace("Bern", "Basel"));
        var now = shop.read("order-1002", "cleo").body();
        shop.put(now.substring(0, now.indexOf(",\"_rid\"")) + "}", "cleo");
        window.button("Save").click();
        window.page().locator(".CodeMirror").nth(1).waitFor();
    }

    @Test
    void aPhoneShowsThemToo() {
        for (var theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
            var options =
                    new Browser.NewContextOptions().setViewportSize(360, 740).setColorScheme(theme);
            try (var window = ExplorerWindow.open(server, shop.at("items"), options)) {
                window.link("order-1000").waitFor();
                picture(window, "phone", theme);
                window.go(shop.at("items?item=order-1010&key=[%22ada%22]"));
                window.page().locator(".CodeMirror").waitFor();
                picture(window, "phone-item", theme);
                window.go(shop.at("query?q=" + encoded(TOTALS)));
                window.awaitText("Press Ctrl+Enter");
                window.button("Run").click();
                window.awaitText("5 rows");
                picture(window, "phone-query", theme);
            }
        }
    }

    /** Has axe look at a page, and takes a picture of it. */
    static void picture(ExplorerWindow window, String name, ColorScheme theme) {
        assertThat(window.barriers()).as(name).isEmpty();
        var file = theme == ColorScheme.DARK ? "explorer-" + name + "-dark.png" : "explorer-" + name + ".png";
        window.page().screenshot(new Page.ScreenshotOptions().setPath(PICTURES.resolve(file)));
    }

    /** The same of a page that is higher or lower than most. */
    static void picture(ExplorerWindow window, String name, ColorScheme theme, int height) {
        window.page().setViewportSize(WIDTH, height);
        picture(window, name, theme);
        window.page().setViewportSize(WIDTH, HEIGHT);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
