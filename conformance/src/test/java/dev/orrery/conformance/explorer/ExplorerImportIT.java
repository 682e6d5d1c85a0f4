package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.FilePayload;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Files that are dropped are imported by the rules of the command. */
class ExplorerImportIT {
    private static OrreryServer server;

    @BeforeAll
    static void start() {
        server = SharedServer.running();
    }

    @Test
    void anItemThatIsThereAlreadyIsRefusedUnlessSomebodySaysOtherwise() {
        var shop = new Shop(server).add("a", "ada", "\"n\":1");
        var file = ndjson("{\"id\":\"a\",\"customer\":\"ada\",\"n\":2}\n{\"id\":\"b\",\"customer\":\"ada\",\"n\":2}\n");
        try (var window = ExplorerWindow.open(server, shop.at("data"))) {
            files(window).setInputFiles(file);
            window.awaitText("items.ndjson, line 1");
            window.awaitText("Imported 1 item, 1 refused");
            assertThat(shop.read("a", "ada").json().get("n").asInt()).isEqualTo(1);

            var conflict = window.page().getByLabel("Items that are there already");
            conflict.selectOption("skip");
            files(window).setInputFiles(file);
            window.awaitText("Imported 0 items, 2 were there already");
            assertThat(shop.read("a", "ada").json().get("n").asInt()).isEqualTo(1);

            conflict.selectOption("replace");
            files(window).setInputFiles(file);
            window.awaitText("Imported 2 items, for");
            assertThat(shop.read("a", "ada").json().get("n").asInt()).isEqualTo(2);
        }
    }

    @Test
    void itemsWithoutAnIdAreGivenOneWhenThatIsWanted() {
        var shop = new Shop(server);
        var file = ndjson("{\"customer\":\"ada\",\"n\":1.50}\n{\"customer\":\"ada\",\"id\":\"\"}\n");
        try (var window = ExplorerWindow.open(server, shop.at("data"))) {
            files(window).setInputFiles(file);
            window.awaitText("items.ndjson, line 1: The item has no id");
            window.awaitText("items.ndjson, line 2: The id must be a string that is not empty");
            window.awaitText("Imported 0 items, 2 refused");
            window.page().getByLabel("Give an id to items that have none").check();
            files(window).setInputFiles(file);
            window.awaitText("Imported 1 item, 1 refused");
            window.go(shop.at("items"));
            window.awaitText("Items 1 to 1");
            window.awaitTexts(window.main().locator("tbody tr"), "1.50");
        }
    }

    @Test
    void itGivesUpWhenTooManyRecordsAreRefused() {
        var shop = new Shop(server);
        try (var window = ExplorerWindow.open(server, shop.at("data"))) {
            window.page().getByLabel("Give up after").fill("2");
            files(window).setInputFiles(ndjson("{}\n".repeat(9)));
            window.awaitText("Gave up: more than the 2 that were allowed are refused.");
            window.awaitText("Stopped after 0 items, 3 refused");
            assertThat(window.main().locator(".problems li").count()).isEqualTo(3);
        }
    }

    @Test
    void aLineThatIsNoTextIsToldAndTheOthersAreImported() {
        var shop = new Shop(server);
        var lines = List.of(
                "\uFEFF{\"id\":\"1\",\"customer\":\"ä\"}", "{\"id\":\"2\",\"customer\":\"\u00e4\"}", "{\"id\":\"3\"}");
        try (var window = ExplorerWindow.open(server, shop.at("data"))) {
            files(window).setInputFiles(file("lines.ndjson", wrongInLine2(String.join("\n", lines))));
            window.awaitText("lines.ndjson, line 2: The line is not UTF-8 text");
            window.awaitText("Imported 2 items, 1 refused");
            files(window)
                    .setInputFiles(file(
                            "array.json", wrongInLine2("[{\"id\":\"4\",\n\"customer\":\"\u00e4\"},\n{\"id\":\"5\"}]")));
            window.awaitText("array.json, line 2: The line is not UTF-8 text");
            window.awaitText("Imported 1 item, 1 refused");
            files(window).setInputFiles(file("rows.csv", wrongInLine2("id,customer\n6,\u00e4\n7,bob\n")));
            window.awaitText("rows.csv, line 2: The line is not UTF-8 text");
            window.awaitText("Imported 1 item, 1 refused");
            files(window).setInputFiles(file("heads.csv", wrongInLine2("\nid,\u00e4\n8,bob\n")));
            window.awaitText("heads.csv, line 2: The line is not UTF-8 text; nothing of this file was imported");
        }
        assertThat(shop.read("1", "ä").status()).isEqualTo(200);
        assertThat(shop.read("7", "bob").status()).isEqualTo(200);
    }

    /** The second line as a program would write it that knows no other characters than those of western Europe. */
    private static byte[] wrongInLine2(String text) {
        var lines = text.split("\n", 3);
        var first = (lines[0] + "\n").getBytes(StandardCharsets.UTF_8);
        var second = (lines[1] + "\n").getBytes(StandardCharsets.ISO_8859_1);
        var rest = lines[2].getBytes(StandardCharsets.UTF_8);
        var all = new byte[first.length + second.length + rest.length];
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        System.arraycopy(rest, 0, all, first.length + second.length, rest.length);
        return all;
    }

    @Test
    void whatPassesIsTriedAgainAndNothingIsTakenForAConflictWithItself() {
        var shop = new Shop(server);
        var asked = new AtomicInteger();
        try (var window = ExplorerWindow.open(server, shop.at("data"))) {
            window.page().route(url -> url.endsWith(shop.path() + "/docs"), route -> {
                switch (asked.getAndIncrement()) {
                    case 0 -> refuse(route, 503);
                    case 1 -> refuse(route, 410);
                    case 2 -> refuse(route, 429);
                    case 3 -> {
                        // The item arrives, and nobody hears of it.
                        route.fetch();
                        refuse(route, 503);
                    }
                    default -> route.resume();
                }
            });
            files(window).setInputFiles(ndjson("{\"id\":\"a\",\"customer\":\"ada\",\"n\":1.0}\n"));
            window.awaitText("Imported 1 item, for");
            assertThat(asked.get()).isEqualTo(5);
            window.page().unrouteAll();
        }
        assertThat(shop.read("a", "ada").body()).contains("\"n\":1.0");
    }

    private static void refuse(Route route, int status) {
        route.fulfill(new Route.FulfillOptions().setStatus(status).setBody("{\"message\":\"not now\"}"));
    }

    @Test
    void whatCannotBeUnpackedHereIsNotOffered() {
        var shop = new Shop(server);
        try (var window = ExplorerWindow.open(server, shop.at("data"))) {
            assertThat(files(window).getAttribute("accept"))
                    .doesNotContain("zst")
                    .contains(".gz");
            files(window).setInputFiles(file("items.ndjson.zst", new byte[] {1}));
            window.awaitText("browsers cannot unpack Zstandard");
            files(window).setInputFiles(file("items.ndjson.gz", new byte[] {1}));
            window.awaitText("items.ndjson.gz cannot be unpacked");
        }
    }

    private static Locator files(ExplorerWindow window) {
        return window.page().getByLabel("Files to import");
    }

    private static FilePayload ndjson(String text) {
        return file("items.ndjson", text.getBytes(StandardCharsets.UTF_8));
    }

    private static FilePayload file(String name, byte[] bytes) {
        return new FilePayload(name, "application/octet-stream", bytes);
    }
}
