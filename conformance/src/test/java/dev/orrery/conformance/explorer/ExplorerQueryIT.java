package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireRequest;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Asking queries and understanding their answers. */
class ExplorerQueryIT {
    private static OrreryServer server;

    @BeforeAll
    static void start() {
        server = SharedServer.running();
    }

    @Test
    void aQueryWithParametersGivesRowsInEveryForm() {
        var shop = filled();
        try (var window =
                query(shop, "SELECT c.customer, c.total FROM c WHERE c.total >= @least ORDER BY c.total DESC")) {
            window.page().getByLabel("@least =").fill("40");
            window.button("Run").click();
            window.awaitText("2 rows");
            window.awaitTexts(window.main().locator("tbody tr").first(), "ada", "50");
            window.button("JSON").click();
            window.awaitTexts(window.main().locator(".result pre"), "\"total\": 50");
            window.button("Tree").click();
            window.main().locator(".json-tree summary").first().waitFor();
            window.awaitTexts(window.main().locator(".json-tree"), "total: 50");
            window.button("Chart").click();
            window.main().locator("canvas").waitFor();
            assertThat(window.page().url()).contains("view=Chart");
        }
    }

    @Test
    void aWrongQueryIsMarkedAtItsPlace() {
        var shop = filled();
        try (var window = query(shop, "SELECT *\nFROM c WHERE c.total ==== 1")) {
            window.button("Run").click();
            window.awaitText("Line 2, column");
            assertThat(window.main().locator(".CodeMirror .wrong").count()).isPositive();
        }
    }

    @Test
    void aParameterThatIsNoJsonIsTold() {
        try (var window = query(filled(), "SELECT * FROM c WHERE c.customer = @who")) {
            window.page().getByLabel("@who =").fill("ada");
            window.button("Run").click();
            window.awaitText("The value of @who is not JSON");
        }
    }

    @Test
    void thePlanTellsAccessIndexesAndTheItemisedCharge() {
        try (var window = query(filled(), "SELECT * FROM c WHERE c.total = 50")) {
            window.button("Explain").click();
            window.page().getByLabel("Plan").first().waitFor();
            window.awaitTexts(window.main().locator(".plan"), "1 row in 1 page", "access:", "index:");
            window.awaitTexts(window.main().locator(".plan-page"), "/total/?", "1 for 1 row returned");
            window.awaitTexts(window.main().locator(".bill"), "Together");
        }
    }

    @Test
    void aMissingIndexIsPutIntoThePolicyWithOneClick() {
        var shop = filled();
        var definition = shop.client().get(shop.path()).body();
        var reply = shop.client()
                .send(WireRequest.of("PUT", shop.path())
                        .body(definition.replace(
                                "\"excludedPaths\":[", "\"excludedPaths\":[{\"path\":\"/total/?\"},")));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        try (var window = query(shop, "SELECT * FROM c WHERE c.total = 50")) {
            window.button("Explain").click();
            window.button("Add to the policy").click();
            window.awaitText("is in the policy now");
        }
        assertThat(shop.client()
                        .get(shop.path())
                        .json()
                        .at("/indexingPolicy/includedPaths")
                        .toString())
                .contains("/total/?");
    }

    @Test
    void wordsFunctionsAndPropertiesAreProposed() {
        try (var window = query(filled(), "SELECT * FROM c WHERE ")) {
            var hints = window.page().locator(".CodeMirror-hint");
            var editor = window.page().locator(".CodeMirror").first();
            editor.click();
            window.page().keyboard().press("Control+End");
            window.page().keyboard().type("STARTS");
            hints.first().waitFor();
            window.awaitTexts(hints.first(), "STARTSWITH(");
            window.awaitTexts(window.main().locator(".manual"), "STARTSWITH(");
            window.page().keyboard().press("Enter");
            Await.until("the function is in the text", () -> window.edited(0).endsWith("STARTSWITH("));
            window.page().keyboard().type("c.cust");
            hints.first().waitFor();
            assertThat(hints.allTextContents()).contains("customer");
        }
    }

    @Test
    void queriesAreRememberedAndSaved() {
        try (var window = query(filled(), "SELECT VALUE c.total FROM c")) {
            window.button("Run").click();
            window.awaitText("3 rows");
            window.button("Save as …").click();
            window.dialog().getByLabel("Name").fill("totals");
            window.inDialog("Save").click();
            window.awaitText("Saved as totals");
            window.edit(0, "SELECT 1");
            window.button("History").click();
            window.awaitTexts(window.dialog(), "SELECT VALUE c.total FROM c");
            window.inDialog("Close").click();
            window.button("Saved").click();
            window.dialog()
                    .getByRole(
                            AriaRole.BUTTON,
                            new Locator.GetByRoleOptions().setName("totals").setExact(false))
                    .first()
                    .click();
            Await.value("the saved query is back", () -> window.edited(0), "SELECT VALUE c.total FROM c");
        }
    }

    @Test
    void rowsAreExportedAsCsvAndJson() throws IOException {
        try (var window = query(filled(), "SELECT c.id, c.note FROM c WHERE c.id = '1'")) {
            window.button("Run").click();
            window.awaitText("1 row");
            var csv = window.page()
                    .waitForDownload(() -> window.button("Export CSV").click());
            assertThat(Files.readString(csv.path())).isEqualTo("id,note\r\n1,\"says \"\"hi\"\", twice\"");
            var json = window.page()
                    .waitForDownload(() -> window.button("Export JSON").click());
            assertThat(Files.readString(json.path())).contains("\"note\": \"says \\\"hi\\\", twice\"");
        }
    }

    @Test
    void aQueryOverSeveralPartitionsIsAnsweredWholly() {
        var shop = new Shop(server, 18_000);
        for (int i = 0; i < 30; i++) {
            shop.add("i" + i, "customer" + i, "\"total\":" + i);
        }
        try (var window = query(shop, "SELECT VALUE COUNT(1) FROM c WHERE c.total > 9")) {
            window.button("Run").click();
            window.awaitText("1 row");
            window.main()
                    .locator("tbody")
                    .getByText("20", new Locator.GetByTextOptions().setExact(true))
                    .waitFor();
        }
    }

    @Test
    void aQueryThatRunsIsStopped() {
        var shop = filled();
        try (var window = query(shop, "SELECT * FROM c")) {
            // The reply never comes, so that the query is still running when it is stopped.
            window.page().route(url -> url.endsWith(shop.path() + "/docs"), route -> {});
            window.button("Run").click();
            window.awaitText("Running");
            window.button("Stop").click();
            window.awaitText("Stopped.");
            window.page().unrouteAll();
        }
    }

    @Test
    void whatStopsMoreRowsLeavesThoseThatAreThere() {
        var shop = many();
        try (var window = query(shop, "SELECT c.id FROM c ORDER BY c.id")) {
            window.button("Run").click();
            window.awaitText("100 rows so far");
            window.page().route(url -> url.endsWith(shop.path() + "/docs"), route -> {});
            window.button("More rows").click();
            window.awaitText("Reading more rows");
            window.button("Stop").click();
            window.awaitText("Stopped.");
            window.awaitCount(window.main().locator("tbody tr"), 100);
            window.page().unrouteAll();
            window.button("More rows").click();
            window.awaitText("120 rows");
        }
    }

    @Test
    void moreRowsThanAreReadAreExportedWhenSomebodySaysSo() throws IOException {
        try (var window = query(many(), "SELECT c.id FROM c WHERE c.n >= @least ORDER BY c.id")) {
            window.page().getByLabel("@least =").fill("0");
            window.button("Run").click();
            window.awaitText("100 rows so far");
            window.button("Export CSV").click();
            window.awaitTexts(window.dialog(), "100 rows are read so far, and there are more.");
            var all = window.page()
                    .waitForDownload(() -> window.inDialog("All rows").click());
            assertThat(Files.readString(all.path()).lines()).hasSize(121).contains("id-000", "id-119");
            window.awaitText("Exported 120 rows, the others for");
            window.awaitText("100 rows so far");
            window.button("Export JSON").click();
            var some = window.page()
                    .waitForDownload(() -> window.inDialog("These 100 rows").click());
            assertThat(Files.readString(some.path())).contains("id-099").doesNotContain("id-100");
        }
    }

    private static Shop many() {
        var shop = new Shop(server);
        for (int i = 0; i < 120; i++) {
            shop.add("id-%03d".formatted(i), "ada", "\"n\":" + i);
        }
        return shop;
    }

    @Test
    void whatASpreadsheetWouldTakeForAFormulaIsText() throws IOException {
        var shop = new Shop(server);
        shop.put(
                "{\"id\":\"1\",\"customer\":\"ada\",\"=a\":\"=1+1\",\"b\":\"@SUM(A1)\",\"c\":\"+49 30\",\"d\":\"-5\","
                        + "\"e\":-7.5,\"f\":\"-x, y\",\"g\":\"a=b\"}",
                "ada");
        try (var window = query(shop, "SELECT c[\"=a\"], c.b, c.c, c.d, c.e, c.f, c.g FROM c")) {
            window.button("Run").click();
            window.awaitText("1 row");
            var csv = window.page()
                    .waitForDownload(() -> window.button("Export CSV").click());
            assertThat(Files.readString(csv.path()))
                    .isEqualTo("'=a,b,c,d,e,f,g\r\n'=1+1,'@SUM(A1),'+49 30,-5,-7.5,\"'-x, y\",a=b");
        }
    }

    @Test
    void aBrowserWithoutRoomForTheHistoryRunsQueriesAllTheSame() {
        try (var window = query(filled(), "SELECT VALUE c.total FROM c")) {
            window.page()
                    .evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException('full',"
                            + " 'QuotaExceededError'); }; }");
            window.button("Run").click();
            window.awaitText("3 rows");
            window.button("Save as …").click();
            window.dialog().getByLabel("Name").fill("totals");
            window.inDialog("Save").click();
            window.awaitText("This browser has no room to keep it");
        }
    }

    private static Shop filled() {
        return new Shop(server)
                .add("1", "ada", "\"total\":50,\"note\":\"says \\\"hi\\\", twice\"")
                .add("2", "ada", "\"total\":7")
                .add("3", "bob", "\"total\":42");
    }

    private static ExplorerWindow query(Shop shop, String text) {
        var window = ExplorerWindow.open(server, shop.at("query?q=" + URLEncoder.encode(text, StandardCharsets.UTF_8)));
        window.page().locator(".CodeMirror").waitFor();
        return window;
    }

    @Test
    void anIndexThatAQueryDemandsIsPutIntoThePolicyWithOneClickAndTakenBack() {
        var shop = filled();
        var ask = "SELECT c.id FROM c ORDER BY c.total DESC, c.note ASC";
        try (var window = query(shop, ask)) {
            window.button("Run").click();
            window.awaitText("does not have a corresponding composite index");
            window.button("Add to the policy").click();
            window.awaitText("/total DESC, /note ASC is in the policy now");
            assertThat(composites(shop)).contains("/total").contains("/note");
            window.button("Run").click();
            window.awaitText("3 rows");
            window.button("Undo").click();
            window.awaitText("The policy is as it was before.");
        }
        assertThat(composites(shop)).doesNotContain("/total");
    }

    private static String composites(Shop shop) {
        return shop.client()
                .get(shop.path())
                .json()
                .at("/indexingPolicy/compositeIndexes")
                .toString();
    }

    @Test
    void propertiesOfElementsAndOddNamesAreProposed() {
        var shop = new Shop(server).add("1", "ada", "\"lines\":[{\"article\":\"tea\",\"unit price\":2}]");
        try (var window = query(shop, "SELECT * FROM c JOIN line IN c.lines WHERE ")) {
            var hints = window.page().locator(".CodeMirror-hint");
            window.page().locator(".CodeMirror").first().click();
            window.page().keyboard().press("Control+End");
            window.page().keyboard().type("line.");
            hints.first().waitFor();
            assertThat(hints.allTextContents()).containsExactly("article", "unit price");
            window.page().keyboard().type("un");
            Await.until("one is left", () -> hints.count() == 1);
            window.page().keyboard().press("Enter");
            Await.until("it is put in brackets", () -> window.edited(0).endsWith("WHERE line[\"unit price\"]"));
        }
    }

    @Test
    void aPropertyThatOnlyALateRowHasIsInTheFileToo() throws IOException {
        var shop = new Shop(server);
        for (int i = 0; i < 60; i++) {
            shop.add("%02d".formatted(i), "ada", i == 59 ? "\"late\":1e3" : "");
        }
        try (var window = query(shop, "SELECT * FROM c ORDER BY c.id")) {
            window.button("Run").click();
            window.awaitText("60 rows");
            var csv = Files.readString(window.page()
                    .waitForDownload(() -> window.button("Export CSV").click())
                    .path());
            assertThat(csv.lines().findFirst().orElseThrow()).startsWith("id,customer,late,_rid");
            assertThat(csv).contains("59,ada,1e3,");
        }
    }
}
