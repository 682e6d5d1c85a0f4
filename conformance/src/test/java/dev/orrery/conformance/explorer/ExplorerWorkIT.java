package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.FilePayload;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Following changes, working on scripts, moving data in and out. */
class ExplorerWorkIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static OrreryServer server;

    @BeforeAll
    static void start() {
        server = SharedServer.running();
    }

    @Test
    void changesAppearAsTheyAreMadeAndAreFilteredAndPaused() {
        var shop = new Shop(server).add("first", "ada", "");
        try (var window = ExplorerWindow.open(server, shop.at("changes?from=beginning"))) {
            var shown = window.main().locator(".changes li:visible");
            window.main().getByText("first").first().waitFor();
            shop.add("second", "bob", "");
            window.main().locator(".changes").getByText("second").first().waitFor();
            window.page().getByLabel("Only changes that contain").fill("BOB");
            window.awaitCount(shown, 1);
            window.page().getByLabel("Only changes that contain").fill("");
            window.button("Pause").click();
            window.awaitText("Paused, nothing is read");
            shop.add("third", "cleo", "");
            var again = window.page()
                    .waitForRequest(
                            request -> request.url().contains("/changes"),
                            () -> window.button("Go on").click());
            assertThat(again.headers()).containsKey("last-event-id");
            window.main().locator(".changes").getByText("third").first().waitFor();
            window.awaitCount(shown, 3);
        }
    }

    @Test
    void allVersionsTellDeletesToo() {
        var shop = new Shop(server);
        try (var window = ExplorerWindow.open(server, shop.at("changes?mode=all-versions"))) {
            window.awaitText("Following");
            window.awaitText("All versions are told from now on.");
            assertThat(window.page().getByLabel("From").isVisible()).isFalse();
            shop.add("gone", "ada", "");
            window.main().locator(".chip.create").waitFor();
            shop.client()
                    .send(WireRequest.of("DELETE", shop.path() + "/docs/gone")
                            .header("x-ms-documentdb-partitionkey", "[\"ada\"]"));
            window.main().locator(".chip.delete").waitFor();
        }
    }

    @Test
    void aProcedureIsMadeEditedAndRunWithItsLog() {
        var shop = new Shop(server);
        try (var window = ExplorerWindow.open(server, shop.at("scripts"))) {
            window.button("New procedure").click();
            window.dialog().getByLabel("Name").fill("greet");
            window.inDialog("Make it").click();
            window.page().locator(".CodeMirror").waitFor();
            window.edit(
                    0,
                    "function (name) { console.log('greeting ' + name);"
                            + " getContext().getResponse().setBody('hello ' + name); }");
            window.button("Save").click();
            window.awaitText("Saved greet.");
            window.page().getByLabel("Partition key").fill("\"ada\"");
            window.page().getByLabel("Arguments").fill("[\"Ada\"]");
            window.button("Run").click();
            window.awaitText("\"hello Ada\"");
            window.awaitText("greeting Ada");
            window.awaitText("Done for");
            window.treeItem("orders").waitFor();

            window.edit(0, "function () { console.log('so far'); throw new Error('no further'); }");
            window.button("Run").click();
            window.awaitText("no further");
            window.awaitTexts(window.main().locator(".script-result pre"), "so far");
            window.page().locator(".note").last().getByText("Undo").click();
            window.awaitText("greet is as it was before.");
            assertThat(window.edited(0)).contains("hello");
        }
    }

    @Test
    void theCostPageTellsRangesThroughputPolicyAndAdvice() {
        var shop = new Shop(server, 18_000);
        for (int i = 0; i < 20; i++) {
            shop.add("i" + i, "customer" + i, "\"total\":" + i);
        }
        try (var window = ExplorerWindow.open(server, shop.at("cost"))) {
            window.awaitText("physical partitions, 20 items");
            window.awaitText("18,000 RU/s");
            window.main().locator("canvas").waitFor();
            window.awaitTexts(window.main().locator(".ranges"), "RU in all", "RU/s at most");
            window.awaitTexts(
                    window.main(),
                    "Latency",
                    "Throttled",
                    "Unique keys",
                    "Time to live",
                    "Advice",
                    "All indexes are complete");
            window.page().locator(".CodeMirror").waitFor();
            window.edit(
                    0, window.edited(0).replace("\"excludedPaths\": [", "\"excludedPaths\": [{\"path\":\"/note/?\"},"));
            window.button("Save the policy").click();
            window.awaitText("Saved the policy.");
            assertThat(excludedPaths(shop)).contains("/note/?");
            window.button("Undo").click();
            Await.until("the policy is as it was", () -> !window.edited(0).contains("/note/?"));
        }
        assertThat(excludedPaths(shop)).doesNotContain("/note/?");
    }

    private static String excludedPaths(Shop shop) {
        return shop.client()
                .get(shop.path())
                .json()
                .at("/indexingPolicy/excludedPaths")
                .toString();
    }

    @Test
    void rangesTellTheirSizeAndUseAndAFewWritesMakeNoneOfThemHot() {
        var shop = new Shop(server, 18_000);
        for (int i = 0; i < 30; i++) {
            shop.add("i" + i, "ada", "\"total\":" + i);
        }
        try (var window = ExplorerWindow.open(server, shop.at("cost"))) {
            window.awaitTexts(window.main().locator(".ranges"), "30 items", "indexes", "of 6,000");
            window.awaitText("The indexes take about");
            assertThat(window.main().locator(".ranges .hot").count()).isZero();
        }
        var ranges = shop.client()
                .get("/_orrery/ranges?database=" + shop.database)
                .json()
                .at("/containers/0/ranges");
        assertThat(ranges)
                .allSatisfy(
                        range -> assertThat(range.get("indexBytes").isNumber()).isTrue());
    }

    /** To be charged so much would take a while, so here the server tells of it. */
    @Test
    void aRangeIsHotByItsThroughputOrWhenItDoesMostOfMuchWork() {
        var one = new Shop(server, 400);
        var several = new Shop(server, 18_000);
        try (var window = ExplorerWindow.open(server, "#/" + one.database)) {
            window.link("orders").waitFor();
            var used = new AtomicReference<>(List.of(0.0));
            window.page().route(url -> url.contains("/_orrery/ranges"), route -> loaded(route, used.get()));
            var hot = window.main().locator(".ranges .hot");
            used.set(List.of(0.9 * 400 * 60));
            window.go(one.at("cost"));
            window.awaitTexts(hot, "90 % of its throughput");
            used.set(List.of(0.7 * 400 * 60));
            window.button("Refresh").click();
            window.awaitTexts(window.main().locator(".ranges"), "16,800 RU in all");
            window.awaitCount(hot, 0);

            used.set(List.of(90_000.0, 10_000.0, 0.0));
            window.go(several.at("cost"));
            window.awaitTexts(hot, "90 % of the last hour’s work");
            window.awaitCount(hot, 1);
            used.set(List.of(900.0, 100.0, 0.0));
            window.button("Refresh").click();
            window.awaitTexts(window.main().locator(".ranges"), "900 RU in all");
            window.awaitCount(hot, 0);
            window.page().unrouteAll();
        }
    }

    /** What the server says of ranges, as if each of them had done so much a minute ago. */
    private static void loaded(Route route, List<Double> used) {
        var reply = route.fetch();
        try {
            var report = (ObjectNode) JSON.readTree(reply.body());
            var ranges = report.at("/containers/0/ranges");
            for (int i = 0; i < ranges.size(); i++) {
                var range = (ObjectNode) ranges.get(i);
                range.put("requestUnits", used.get(i));
                ((ArrayNode) range.get("minutes")).set(58, used.get(i));
            }
            route.fulfill(new Route.FulfillOptions()
                    .setContentType("application/json")
                    .setBody(report.toString()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void theProgressOfARebuildIsFollowedUntilItIsComplete() {
        var shop = new Shop(server);
        var progress = "x-ms-documentdb-collection-index-transformation-progress";
        try (var window = ExplorerWindow.open(server, "#/" + shop.database)) {
            window.link("orders").waitFor();
            var asked = new AtomicInteger();
            // How long a rebuild takes is not in our hands, so here the server tells of one for as long as it is asked
            // twice.
            window.page().route(url -> url.endsWith(shop.path()), route -> {
                var reply = route.fetch();
                var headers = new HashMap<>(reply.headers());
                if (route.request().headers().containsKey("x-ms-documentdb-populatequotainfo")) {
                    headers.put(progress, asked.incrementAndGet() <= 2 ? "41" : "100");
                }
                route.fulfill(new Route.FulfillOptions()
                        .setStatus(reply.status())
                        .setHeaders(headers)
                        .setBodyBytes(reply.body()));
            });
            window.go(shop.at("cost"));
            window.awaitText("The indexes are being built: 41 %.");
            window.awaitText("All indexes are complete.");
            assertThat(asked.get()).isGreaterThan(2);
            window.page().unrouteAll();
        }
    }

    @Test
    void aFunctionIsRunByItself() {
        var shop = new Shop(server);
        shop.client()
                .post(shop.path() + "/udfs", "{\"id\":\"tax\",\"body\":\"function (price) { return price / 4; }\"}");
        try (var window = ExplorerWindow.open(server, shop.at("function?id=tax"))) {
            window.page().locator(".CodeMirror").waitFor();
            window.page().getByLabel("Arguments").fill("[10]");
            window.button("Run").click();
            window.awaitText("Done for");
            window.main()
                    .locator(".script-result")
                    .getByText("2.5", new Locator.GetByTextOptions().setExact(true))
                    .waitFor();
        }
    }

    @Test
    void adviceStandsBesideTheContainerItIsAbout() {
        var shop = new Shop(server, 18_000);
        for (int i = 0; i < 200; i++) {
            shop.add("i" + i, "customer" + i, "\"total\":" + i);
        }
        for (int i = 0; i < 60; i++) {
            var reply = shop.client()
                    .send(WireRequest.of("POST", shop.path() + "/docs")
                            .header("content-type", "application/query+json")
                            .header("x-ms-documentdb-isquery", "true")
                            .header("x-ms-documentdb-query-enablecrosspartition", "true")
                            .header("x-orrery-serve-raw-query", "true")
                            .body("{\"query\":\"SELECT * FROM c WHERE c.total = " + i + "\",\"parameters\":[]}"));
            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        }
        try (var window = ExplorerWindow.open(server, shop.at("cost"))) {
            window.main().locator(".saving").first().waitFor();
            window.awaitTexts(window.main().locator(".saving").first(), "→", "saves");
        }
    }

    @Test
    void rangesAreToldToWhoeverHoldsAKey() {
        var open = new WireClient(server).exchange(WireRequest.of("GET", "/_orrery/ranges"));
        assertThat(open.status()).isEqualTo(401);
    }

    @Test
    void theCommandTellsWhereTheExplorerIs(@TempDir Path folder) {
        var told = OrreryServer.run(
                folder, "explore", "--print", "--endpoint", server.http().toString());
        assertThat(told.exitCode()).isZero();
        assertThat(told.output().strip()).isEqualTo("The explorer is at " + server.http() + "/_explorer/");
        var mistaken = OrreryServer.run(folder, "explore", "--endpoint", "nowhere");
        assertThat(mistaken.exitCode()).isEqualTo(2);
        assertThat(mistaken.output()).contains("The endpoint must look like");
    }

    @Test
    void filesAreImportedAndWhatIsRefusedIsToldWithItsLine() {
        var shop = new Shop(server).add("old", "ada", "\"kept\":1.0");
        try (var window = ExplorerWindow.open(server, shop.at("data"))) {
            var files = window.page().getByLabel("Files to import");
            files.setInputFiles(
                    file("orders.ndjson", "{\"id\":\"a\",\"customer\":\"ada\",\"n\":1.50}\n\n{\"id\":\n{\"id\":7}\n"));
            window.awaitText("orders.ndjson, line 3");
            window.awaitText("orders.ndjson, line 4");
            window.awaitText("Imported 1 item, 2 refused");
            files.setInputFiles(file("more.csv", "id,customer,n,note\nb,bob,2,\"two\nlines\"\n"));
            window.awaitText("Imported 1 item, for");
        }
        assertThat(shop.read("a", "ada").body()).contains("\"n\":1.50");
        assertThat(shop.read("b", "bob").json().get("n").asInt()).isEqualTo(2);
        assertThat(shop.read("b", "bob").json().get("note").asText()).isEqualTo("two\nlines");
    }

    @Test
    void aTableThatIsDroppedBecomesTheItemsThatTheCommandMakesOfIt(@TempDir Path folder) throws IOException {
        var table = """
            id,customer,address.city,a\\.b,list,note
            007,ada,Bern,1.50,"[1,2]","two
            lines, ""quoted\"""
            b,bob,,007,true,
            too,few
            c,"",x,1e400,"{""a"":1}","12"
            d,dan,no"quote,1,2,3
            """;
        var file = Files.writeString(folder.resolve("orders.csv"), table);
        var byCommand = new Shop(server);
        var told = OrreryServer.run(
                folder,
                "import",
                file.toString(),
                "-d",
                byCommand.database,
                "-c",
                "orders",
                "--endpoint",
                server.http().toString());
        assertThat(told.output()).contains("orders.csv:5").contains("orders.csv:7");
        var byHand = new Shop(server);
        try (var window = ExplorerWindow.open(server, byHand.at("data"))) {
            var files = window.page()
                    .evaluateHandle(
                            "text => { const all = new DataTransfer(); all.items.add(new File([text], 'orders.csv'));"
                                    + " return all; }",
                            table);
            window.page().locator(".drop").dispatchEvent("drop", Map.of("dataTransfer", files));
            window.awaitText("orders.csv, line 5: The row has 2 fields");
            window.awaitText("orders.csv, line 7: A field with a quote");
            window.awaitText("Imported 3 items, 2 refused");
        }
        for (var item : List.of(List.of("007", "ada"), List.of("b", "bob"), List.of("c", ""))) {
            var made = byHand.read(item.getFirst(), item.getLast());
            assertThat(made.status()).as(made.body()).isEqualTo(200);
            assertThat(own(made.body()))
                    .isEqualTo(
                            own(byCommand.read(item.getFirst(), item.getLast()).body()));
        }
    }

    /** An item without what the server adds, which comes last. */
    private static String own(String item) {
        return item.substring(0, item.indexOf(",\"_rid\""));
    }

    @Test
    void throughputAndTimeToLiveAreChangedAndTheContainerIsDeleted() {
        var shop = new Shop(server);
        try (var window = ExplorerWindow.open(server, shop.at("cost"))) {
            window.button("Change the throughput").click();
            window.dialog().getByLabel("RU/s").fill("900");
            window.inDialog("Set it").click();
            window.awaitText("Set 900 RU/s.");
            window.main().getByText("900 RU/s").first().waitFor();
            window.button("Undo").click();
            window.main().getByText("400 RU/s").first().waitFor();
            window.button("Change the time to live").click();
            window.dialog().getByLabel("On, for all items").check();
            window.dialog().getByRole(AriaRole.SPINBUTTON).fill("3600");
            window.inDialog("Set it").click();
            window.awaitText("items go 3,600 s after");
            assertThat(shop.client().get(shop.path()).json().get("defaultTtl").asInt())
                    .isEqualTo(3600);
            window.button("Delete container").click();
            window.inDialog("Delete").click();
            window.awaitText("This database has no containers");
        }
        assertThat(shop.client().get(shop.path()).status()).isEqualTo(404);
    }

    @Test
    void allItemsAreExported() throws IOException {
        var shop = new Shop(server).add("1", "ada", "\"n\":1.0").add("2", "bob", "");
        try (var window = ExplorerWindow.open(server, shop.at("data"))) {
            var download = window.page()
                    .waitForDownload(() -> window.button("Export all items").click());
            assertThat(Files.readString(download.path()).lines())
                    .containsExactlyInAnyOrder(
                            "{\"id\":\"1\",\"customer\":\"ada\",\"n\":1.0}", "{\"id\":\"2\",\"customer\":\"bob\"}");
        }
    }

    private static FilePayload file(String name, String text) {
        return new FilePayload(name, "application/octet-stream", text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theSchemaPageTellsWhatPropertiesItemsHave() {
        var shop = new Shop(server);
        try (var window = ExplorerWindow.open(server, shop.at("schema"))) {
            window.awaitText("There is nothing to look at yet");
            shop.add("1", "ada", "\"total\":1.5,\"lines\":[{\"article\":\"tea\"},{\"article\":\"tea\"}],\"note\":null");
            shop.add("2", "bob", "\"total\":40,\"lines\":[],\"note\":\"<b>soon</b>\"");
            shop.add("3", "cleo", "\"total\":7");
            shop.add("4", "ada", "\"total\":\"none\"");
            window.button("Refresh").click();
            window.awaitText("4 items written last");
            assertThat(row(window, "total")).contains("100 %", "number 75 %, string 25 %", "none");
            assertThat(row(window, "lines")).contains("50 %", "array", "0 to 2 elements");
            assertThat(row(window, "lines[].article")).contains("25 %", "string", "tea");
            assertThat(row(window, "note")).contains("50 %", "null 50 %", "string 50 %", "<b>soon</b>");
            assertThat(row(window, "customer")).contains("partition key").contains("ada, ");
        }
    }

    private static String row(ExplorerWindow window, String path) {
        return (String) window.page()
                .evaluate(
                        "path => [...document.querySelectorAll('#main tbody tr')].find(row =>"
                                + " row.firstChild.firstChild.textContent === path)?.textContent ?? 'no row'",
                        path);
    }
}
