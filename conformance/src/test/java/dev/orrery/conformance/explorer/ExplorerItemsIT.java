package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Looking at items and changing them. */
class ExplorerItemsIT {
    private static OrreryServer server;

    @BeforeAll
    static void start() {
        server = SharedServer.running();
    }

    @Test
    void theTreeLeadsToItemsAndAnItemOpensInAnEditor() {
        var shop = new Shop(server).add("1", "ada", "\"total\":42").add("2", "bob", "\"total\":7");
        try (var window = ExplorerWindow.open(server, "")) {
            window.page().getByRole(AriaRole.SEARCHBOX).fill(shop.database);
            window.treeItem(shop.database).locator(".row").first().click();
            window.link("orders").click();
            window.link("2").click();
            window.page().locator(".CodeMirror").waitFor();
            assertThat(window.edited(0)).isEqualTo("{\n  \"id\": \"2\",\n  \"customer\": \"bob\",\n  \"total\": 7\n}");
            assertThat(window.page().url()).contains("item=2");
        }
    }

    @Test
    void aPageShowsNoMoreThanItReadAndTheNextGoesOn() {
        var shop = new Shop(server);
        for (int i = 0; i < 60; i++) {
            shop.add("item-" + i, "ada", "\"n\":" + i);
        }
        try (var window = ExplorerWindow.open(server, shop.at("items?size=25"))) {
            var rows = window.main().locator("tbody tr");
            window.awaitText("Items 1 to 25");
            window.awaitCount(rows, 25);
            window.button("Next").click();
            window.awaitText("Items 26 to 50");
            window.button("Next").click();
            window.awaitText("Items 51 to 60");
            window.awaitCount(rows, 10);
            assertThat(window.button("Next").isDisabled()).isTrue();
            window.button("Previous").click();
            window.awaitText("Items 26 to 50");
        }
    }

    @Test
    void aConditionNarrowsTheItemsAndAWrongOneIsExplained() {
        var shop = new Shop(server).add("1", "ada", "\"total\":42").add("2", "bob", "\"total\":7");
        try (var window = ExplorerWindow.open(server, shop.at("items"))) {
            var condition = window.page().getByLabel("Condition, as after WHERE");
            condition.fill("c.total > 40");
            condition.press("Enter");
            window.awaitText("Items 1 to 1");
            assertThat(window.page().url()).contains("filter=");
            condition.fill("c.total >");
            condition.press("Enter");
            window.awaitText("The condition is wrong");
        }
    }

    @Test
    void savingKeepsTheOrderOfPropertiesAndTheSpellingOfNumbers() {
        var shop = new Shop(server);
        shop.put(
                "{\"id\":\"1\",\"customer\":\"ada\",\"2\":1.0,\"1\":1e3,\"big\":12345678901234567890,\"a\":\"\\u0041\"}",
                "ada");
        try (var window = ExplorerWindow.open(server, shop.at("items?item=1&key=[%22ada%22]"))) {
            window.page().locator(".CodeMirror").waitFor();
            window.edit(0, window.edited(0).replace("\"a\":", "\"added\": true,\n  \"a\":"));
            window.button("Save").click();
            window.awaitText("Saved for");
        }
        assertThat(shop.read("1", "ada").body())
                .startsWith("{\"id\":\"1\",\"customer\":\"ada\",\"2\":1.0,\"1\":1e3,\"big\":12345678901234567890,"
                        + "\"added\":true,\"a\":\"\\u0041\"");
    }

    @Test
    void whatIsNoJsonIsToldWithItsPlaceAndCannotBeSaved() {
        var shop = new Shop(server).add("1", "ada", "");
        try (var window = ExplorerWindow.open(server, shop.at("items?item=1&key=[%22ada%22]"))) {
            window.page().locator(".CodeMirror").waitFor();
            window.edit(0, "{\n  \"id\": \"1\",\n  \"customer\": ada\n}");
            window.awaitText("Line 3, column 15");
            assertThat(window.button("Save").isDisabled()).isTrue();
            window.edit(0, "{\"id\": \"1\", \"a\": 1, \"a\": 2}");
            window.awaitText("is there twice");
        }
    }

    @Test
    void anItemThatSomebodyElseHasWrittenIsShownInBothVersions() {
        var shop = new Shop(server).add("1", "ada", "\"total\":1");
        try (var window = ExplorerWindow.open(server, shop.at("items?item=1&key=[%22ada%22]"))) {
            window.page().locator(".CodeMirror").waitFor();
            window.edit(0, "{\"id\":\"1\",\"customer\":\"ada\",\"total\":2}");
            shop.add("1", "ada", "\"total\":3");
            window.button("Save").click();
            window.awaitText("Somebody else has written this item");
            window.page().locator(".CodeMirror").nth(1).waitFor();
            assertThat(window.edited(0)).contains("\"total\":2");
            assertThat(window.edited(1)).contains("\"total\": 3");
            window.button("Save mine over it").click();
            window.awaitText("Saved for");
        }
        assertThat(shop.read("1", "ada").json().get("total").asInt()).isEqualTo(2);
    }

    @Test
    void itemsAreMadeCopiedDeletedAndPutBack() {
        var shop = new Shop(server);
        try (var window = ExplorerWindow.open(server, shop.at("items"))) {
            window.awaitText("This container has no items");
            window.button("New item").click();
            window.edit(0, "{\"id\":\"one\",\"customer\":\"ada\"}");
            window.button("Save").click();
            window.awaitText("Saved for");
            window.button("Copy").click();
            window.page().getByText("Copy").first().waitFor();
            Await.until("the copy is in the editor", () -> window.edited(0).contains("one-copy"));
            window.button("Save").click();
            window.link("one-copy").waitFor();
            window.page().getByLabel("Choose all rows").check();
            window.button("Delete 2").click();
            window.inDialog("Delete").click();
            window.awaitText("Deleted 2 items.");
            assertThat(shop.read("one", "ada").status()).isEqualTo(404);
            window.button("Undo").click();
            window.awaitText("Put back 2 items.");
        }
        assertThat(shop.read("one-copy", "ada").status()).isEqualTo(200);
    }

    @Test
    void columnsAreChosenAndStayInTheAddress() {
        var shop = new Shop(server).add("1", "ada", "\"total\":42,\"note\":\"soon\"");
        try (var window = ExplorerWindow.open(server, shop.at("items"))) {
            window.link("1").waitFor();
            window.button("Columns").click();
            window.dialog().getByLabel("note").uncheck();
            window.inDialog("Show these").click();
            var heads = window.main().getByRole(AriaRole.COLUMNHEADER);
            assertThat(heads.allTextContents()).contains("total").doesNotContain("note");
            window.page().reload();
            window.link("1").waitFor();
            assertThat(heads.allTextContents()).contains("total").doesNotContain("note");
            window.button("JSON").click();
            window.awaitTexts(window.main().locator("pre").first(), "\"note\": \"soon\"");
        }
    }

    @Test
    void columnsAreOfferedForWhatLiesDeeper() {
        var shop = new Shop(server)
                .add(
                        "1",
                        "ada",
                        "\"address\":{\"city\":\"Bern\",\"at\":{\"x\":7.25}},\"lines\":[{\"article\":\"tea\"}]")
                .add("2", "bob", "\"address\":{\"zip\":\"3000\"}");
        try (var window = ExplorerWindow.open(server, shop.at("items"))) {
            window.link("1").waitFor();
            window.button("Columns").click();
            assertThat(window.dialog().locator("label").allInnerTexts().stream().map(String::strip))
                    .contains("address", "address.city", "address.at.x", "address.zip", "lines")
                    .doesNotContain("address.at", "lines.article");
            window.dialog()
                    .getByLabel("address", new Locator.GetByLabelOptions().setExact(true))
                    .uncheck();
            window.dialog().getByLabel("address.city").check();
            window.dialog().getByLabel("address.at.x").check();
            window.inDialog("Show these").click();
            window.awaitTexts(window.main().locator("tbody tr"), "Bern", "7.25");
            window.button("address.city").click();
            window.main().locator("th[aria-sort=ascending]").waitFor();
            assertThat(window.page().url()).contains("sort=");
        }
    }

    @Test
    void usersScriptsAndConflictsAreInTheTree() {
        var shop = new Shop(server);
        shop.client().post("/dbs/" + shop.database + "/users", "{\"id\":\"reader\"}");
        shop.client().post(shop.path() + "/sprocs", "{\"id\":\"hello\",\"body\":\"function () { return 1; }\"}");
        try (var window = ExplorerWindow.open(server, shop.at("items"))) {
            window.treeItem("orders").locator(".twist").first().click();
            window.treeItem("Procedures").locator(".row").first().click();
            window.treeItem("hello").locator(".row").first().click();
            window.page().locator(".CodeMirror").waitFor();
            assertThat(window.edited(0)).isEqualTo("function () { return 1; }");
            window.treeItem("Users").locator(".row").first().click();
            window.treeItem("reader").locator(".row").first().click();
            window.awaitText("This user may do nothing");
            assertThat(window.treeItem("Conflicts").count()).isEqualTo(1);
        }
    }

    @Test
    void theTreeIsWalkedWithTheKeyboard() {
        var shop = new Shop(server);
        try (var window = ExplorerWindow.open(server, "#/" + shop.database)) {
            window.treeItem(shop.database).focus();
            window.page().keyboard().press("ArrowRight");
            window.treeItem("orders").waitFor();
            window.page().keyboard().press("ArrowDown");
            window.page().keyboard().press("Enter");
            window.awaitText("This container has no items");
            window.main().focus();
            window.page().keyboard().press("?");
            assertThat(window.dialog().locator("kbd").allTextContents()).contains("?", "/");
            window.page().keyboard().press("Escape");
            window.dialog().waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
        }
    }

    @Test
    void itemsAreSortedByAColumnAndALinkShowsTheSamePage() {
        var shop = new Shop(server);
        for (int i = 0; i < 60; i++) {
            shop.add("item-" + i, "ada", "\"n\":" + i);
        }
        try (var window = ExplorerWindow.open(server, shop.at("items?size=25&filter=c.n+<+58"))) {
            window.awaitText("Items 1 to 25");
            window.button("n").click();
            window.link("item-0").waitFor();
            window.button("n").click();
            window.link("item-57").waitFor();
            window.main()
                    .locator("th[aria-sort=descending]")
                    .getByRole(
                            AriaRole.BUTTON,
                            new Locator.GetByRoleOptions().setName("n").setExact(true))
                    .waitFor();
            window.button("Next").click();
            window.link("item-32").waitFor();
            window.button("Next").click();
            window.awaitText("Items 51 to 58");
            window.link("item-7").click();
            window.page().locator(".CodeMirror").waitFor();
            var open = window.main().locator("tbody tr.current");
            window.awaitTexts(open, "item-7");

            window.page().reload();
            window.awaitText("Items 51 to 58");
            open.waitFor();
            window.button("First").click();
            window.link("item-57").waitFor();
        }
    }

    @Test
    void theRowOfAnItemThatALinkOpensIsSeen() {
        var shop = new Shop(server);
        for (int i = 0; i < 60; i++) {
            shop.add("item-%02d".formatted(i), "ada", "");
        }
        try (var window = ExplorerWindow.open(server, shop.at("items?item=item-55&key=[%22ada%22]"))) {
            var open = window.main().locator("tbody tr.current");
            window.awaitTexts(open, "item-55");
            PlaywrightAssertions.assertThat(open).isInViewport();
        }
    }

    @Test
    void aLinkThatSomebodyHasBentShowsWhatItCan() {
        var shop = new Shop(server).add("1", "ada", "");
        try (var window =
                ExplorerWindow.open(server, shop.at("items?columns=[5]&sort={\"path\":1}&after=gone&first=25"))) {
            window.awaitText("That page is not there any more.");
            window.link("1").waitFor();
            window.go(shop.at("query?q=SELECT+1&values=[oh"));
            window.page().locator(".CodeMirror").waitFor();
            window.go(shop.at("nothing"));
            window.link("1").waitFor();
        }
    }

    @Test
    void aSaveIsUndoneUnlessSomebodyElseHasWrittenSince() {
        var shop = new Shop(server).add("1", "ada", "\"n\":1.0");
        try (var window = ExplorerWindow.open(server, shop.at("items?item=1&key=[%22ada%22]"))) {
            window.page().locator(".CodeMirror").waitFor();
            window.edit(0, window.edited(0).replace("1.0", "2"));
            window.button("Save").click();
            window.button("Undo").click();
            window.awaitText("1 is as it was before.");
            assertThat(shop.read("1", "ada").body()).contains("\"n\":1.0");
            Await.until("the editor has it, too", () -> window.edited(0).contains("1.0"));
            window.edit(0, window.edited(0).replace("1.0", "3"));
            window.button("Save").click();
            window.button("Undo").waitFor();
            shop.add("1", "ada", "\"n\":4");
            window.button("Undo").click();
            window.awaitText("The item was written again meanwhile");
        }
        assertThat(shop.read("1", "ada").json().get("n").asInt()).isEqualTo(4);
    }
}
