package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.ColorScheme;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import dev.orrery.conformance.wire.WireClient;
import dev.orrery.conformance.wire.WireReply;
import dev.orrery.conformance.wire.WireRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys, hostile contents, servers that go away, and people who see or work differently. */
class ExplorerSafetyIT {
    private static final long FIRST_LOAD_BYTES_MAX = 200_000;
    private static final long ALL_BYTES_MAX = 500_000;

    private static OrreryServer server;

    @BeforeAll
    static void start() {
        server = SharedServer.running();
    }

    @Test
    void thePageIsSentWithAStrictPolicyAndMayNotBeFramed() {
        var page = file("/_explorer/");
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("content-security-policy").orElse(""))
                .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                .doesNotContain("unsafe");
        assertThat(page.header("x-frame-options")).contains("DENY");
        assertThat(page.header("x-content-type-options")).contains("nosniff");
        assertThat(file("/_explorer").header("location")).contains("/_explorer/");
        assertThat(file("/_explorer/../server.jar").status()).isEqualTo(404);
        assertThat(file("/_explorer/none.js").status()).isEqualTo(404);
    }

    @Test
    void aFileThatIsKnownIsNotSentAgain() {
        var first = file("/_explorer/style.css");
        var again = new WireClient(server)
                .exchange(WireRequest.of("GET", "/_explorer/style.css")
                        .header("if-none-match", first.header("etag").orElseThrow()));
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(file("/_explorer/lib/codemirror/5.65.18/lib/codemirror.css").header("cache-control"))
                .hasValueSatisfying(words -> assertThat(words).contains("immutable"));
    }

    @Test
    void aWrongKeyIsToldAndTheRightOneOpens(@TempDir Path folder) {
        var key = "b3duIGtleSBvZiB0aGlzIHNlcnZlciwgbm90IHRoZSB3ZWxsLWtub3duIG9uZQ==";
        try (var own = OrreryServer.startInMemory(folder, "--key", key);
                var window = ExplorerWindow.open(own, "")) {
            window.inDialog("Cancel").click();
            window.awaitText("The explorer needs a key of this account");
            window.button("Enter the key").click();
            window.dialog().getByLabel("Key").fill("d3Jvbmc=");
            window.inDialog("Open").click();
            window.awaitText("This is not a key of this account.");
            window.dialog().getByLabel("Key").fill("no base64!");
            window.inDialog("Open").click();
            window.awaitText("A key is base64 text");
            window.dialog().getByLabel("Key").fill(key);
            window.inDialog("Open").click();
            window.awaitText("Nothing is here yet");
            window.page().reload();
            window.awaitText("Nothing is here yet");
            var other = window.page().context().newPage();
            other.navigate(own.http() + "/_explorer/");
            other.getByText("Key of the account").first().waitFor();
        }
    }

    @Test
    void aReadOnlyKeyGivesAReadOnlyExplorer() {
        var shop = new Shop(server).add("1", "ada", "");
        try (var window = ExplorerWindow.open(server, shop.at("items"))) {
            window.link("1").waitFor();
            window.button("Key").click();
            window.dialog().getByLabel("Key").fill(SharedServer.READ_ONLY_KEY);
            window.inDialog("Open").click();
            window.awaitText("read only");
            window.link("1").click();
            window.page().locator(".CodeMirror").waitFor();
            assertThat(window.button("Save").count()).isZero();
            assertThat(window.button("New item").count()).isZero();
            assertThat(window.button("Delete").count()).isZero();
        }
    }

    @Test
    void contentsThatLookLikeMarkupStayText() {
        var shop = new Shop(server);
        var markup = "<img src=x onerror=alert(1)><script>alert(2)</script>";
        shop.put(
                "{\"id\":\"" + markup.replace("/", "|") + "\",\"customer\":\"ada\",\"" + markup + "\":\"" + markup
                        + "\"}",
                "ada");
        try (var window = ExplorerWindow.open(server, shop.at("items"))) {
            window.page().onDialog(dialog -> {
                throw new AssertionError("a script of an item ran");
            });
            window.main().getByText(markup).first().waitFor();
            window.main().locator("tbody a").first().click();
            window.page().locator(".CodeMirror").waitFor();
            assertThat(window.main().locator("img").count()).isZero();
            window.button("JSON").click();
            window.main().locator("pre").first().waitFor();
            assertThat(window.main().locator("img, script").count()).isZero();
        }
    }

    @Test
    void whatTurnsATextAroundIsShownAndDoesNotAct() {
        var shop = new Shop(server);
        shop.put("{\"id\":\"invoice\\u202efdp.exe\",\"customer\":\"ada\",\"note\":\"two\\nlines\"}", "ada");
        try (var window = ExplorerWindow.open(server, shop.at("items"))) {
            window.link("invoice\\u202efdp.exe").waitFor();
            window.main().getByText("two\\nlines").waitFor();
            window.link("invoice\\u202efdp.exe").click();
            window.page().locator(".CodeMirror").waitFor();
            assertThat(window.edited(0)).contains("two\\nlines");
        }
    }

    @Test
    void aPageOfAnotherOriginCanNeitherFrameNorDriveIt() {
        var shop = new Shop(server);
        try (var window = ExplorerWindow.open(server, shop.at("items"))) {
            window.awaitText("This container has no items");
            var other = window.page().context().newPage();
            other.route(
                    "http://pages.example/**",
                    route -> route.fulfill(new Route.FulfillOptions()
                            .setContentType("text/html")
                            .setBody("<iframe src='" + server.http() + "/_explorer/'></iframe>")));
            other.navigate("http://pages.example/");
            var frame = other.frames().getLast();
            assertThat(frame.locator("#main").count()).isZero();
            for (var method : List.of("GET", "POST")) {
                var came = other.evaluate(
                        "([address, method]) => fetch(address, { method, headers: { authorization: 'type%3Dmaster',"
                                + " 'x-ms-date': 'now' } }).then(() => 'an answer', () => 'nothing')",
                        List.of(server.http() + shop.path() + "/docs", method));
                assertThat(came).isEqualTo("nothing");
            }
            var opened = other.waitForPopup(() -> other.evaluate(
                    "address => { window.opened = window.open(address); }", server.http() + "/_explorer/"));
            opened.locator("#main h1").first().waitFor();
            // A page of its own group of windows: who opened it has no hold of it.
            Await.until("the opener has lost it", () -> (Boolean) other.evaluate("window.opened.closed"));
        }
    }

    @Test
    void anItemOfTwoMegabytesOpensAndIsSaved() {
        var shop = new Shop(server);
        shop.put("{\"id\":\"big\",\"customer\":\"ada\",\"text\":\"" + "x".repeat(1_900_000) + "\"}", "ada");
        try (var window = ExplorerWindow.open(server, shop.at("items?item=big&key=[%22ada%22]"))) {
            window.page().locator(".CodeMirror").waitFor();
            window.edit(0, window.edited(0).replace("\"big\",", "\"big\",\n\"more\": 1,"));
            window.button("Save").click();
            window.awaitText("Saved for");
        }
        assertThat(shop.read("big", "ada").json().get("more").asInt()).isEqualTo(1);
    }

    @Test
    void aServerThatStopsIsToldAndOneThatIsBackIsUsed(@TempDir Path folder) {
        try (var own = OrreryServer.start(folder.resolve("data"));
                var window = ExplorerWindow.open(own, "")) {
            var shop = new Shop(own).add("1", "ada", "");
            window.go(shop.at("items"));
            window.link("1").waitFor();
            window.tolerateFailedRequests();
            try (var second = ExplorerWindow.open(own, shop.at("changes"))) {
                second.awaitText("Following");
                second.tolerateFailedRequests();
                own.stop();
                window.button("Refresh").click();
                window.awaitText("The server does not answer");
                second.awaitText("The connection is lost; trying again");
                own.restart();
                window.button("Refresh").click();
                window.link("1").waitFor();
                second.awaitText("Following");
                shop.add("2", "bob", "");
                second.main().locator(".changes").getByText("bob").first().waitFor();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LIGHT", "DARK"})
    void nothingOnTheMainPagesIsABarrier(ColorScheme theme) {
        var shop = new Shop(server).add("1", "ada", "\"total\":42,\"paid\":true");
        var options = new Browser.NewContextOptions().setViewportSize(1280, 800).setColorScheme(theme);
        try (var window = ExplorerWindow.open(server, shop.at("items"), options)) {
            window.link("1").waitFor();
            assertThat(window.barriers()).isEmpty();
            window.link("1").click();
            window.page().locator(".CodeMirror").waitFor();
            assertThat(window.barriers()).isEmpty();
            window.go("#/");
            window.awaitText("This account");
            assertThat(window.barriers()).isEmpty();
            window.go("#/" + shop.database);
            window.awaitText("partition key /customer");
            assertThat(window.barriers()).isEmpty();
            window.button("New container").click();
            assertThat(window.barriers()).isEmpty();
        }
    }

    @Test
    void aPhoneHasTheTreeBehindAButton() {
        var shop = new Shop(server).add("1", "ada", "");
        var options = new Browser.NewContextOptions().setViewportSize(360, 640);
        try (var window = ExplorerWindow.open(server, shop.at("items"), options)) {
            window.link("1").waitFor();
            assertThat(window.treeItem(shop.database).isVisible()).isFalse();
            window.button("Databases").click();
            window.treeItem(shop.database).waitFor();
        }
    }

    @Test
    void theFirstLoadIsSmallAlsoWithTheEditorAndTheCharts() {
        var shop = new Shop(server, 18_000).add("1", "ada", "");
        // What is not there leaves the browser with nothing of the page.
        try (var window = ExplorerWindow.open(server, "none.js")) {
            var answered = new ArrayList<Request>();
            window.page().onRequestFinished(answered::add);
            window.go("");
            window.awaitText("Requests since");
            var millis = window.page().evaluate("Math.round(performance.now())");
            long first = bytes(answered);
            System.out.printf("The first load took %,d bytes and %s ms.%n", first, millis);
            assertThat(answered.stream().map(Request::url)).noneMatch(url -> url.endsWith("codemirror.js"));
            assertThat(first).isBetween(1L, FIRST_LOAD_BYTES_MAX);
            window.go(shop.at("cost"));
            window.main().locator("canvas").waitFor();
            window.page().locator(".CodeMirror").waitFor();
            assertThat(answered.stream().map(Request::url)).anyMatch(url -> url.endsWith("codemirror.js"));
            long all = bytes(answered);
            System.out.printf("With the editor and the charts it was %,d bytes.%n", all);
            assertThat(all).isBetween(first, ALL_BYTES_MAX);
        }
    }

    /** What came over the wire, packed as it was, with its headers. */
    private static long bytes(List<Request> answered) {
        return List.copyOf(answered).stream()
                .map(Request::sizes)
                .mapToLong(sizes -> sizes.responseHeadersSize + sizes.responseBodySize)
                .sum();
    }

    @Test
    void anIdlePageAsksNothing() {
        var shop = new Shop(server).add("1", "ada", "");
        try (var window = ExplorerWindow.open(server, "")) {
            window.page().clock().install();
            window.page().reload();
            window.awaitText("Requests since");

            window.go(shop.at("items"));
            window.link("1").waitFor();
            window.treeItem("orders").waitFor();
            var asked = new ArrayList<String>();
            window.page().onRequest(request -> asked.add(request.url()));
            // The clock of the page is in our hands: an hour passes, and all that waits for it happens.
            window.page().clock().fastForward("01:00:00");
            assertThat(asked).isEmpty();
        }
    }

    private static WireReply file(String path) {
        return new WireClient(server).exchange(WireRequest.of("GET", path));
    }
}
