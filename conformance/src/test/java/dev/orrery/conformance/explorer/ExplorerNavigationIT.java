package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.WaitForSelectorState;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.server.SharedServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Going from page to page: what is late, what is not saved yet, and the way back. */
class ExplorerNavigationIT {
    private static OrreryServer server;

    @BeforeAll
    static void start() {
        server = SharedServer.running();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thePageThatWasAskedForLastStaysHoweverLateAnotherComes(boolean itFails) {
        var shop = new Shop(server).add("1", "ada", "\"n\":1");
        try (var window = ExplorerWindow.open(server, shop.at("items"))) {
            window.link("1").waitFor();
            var held = new AtomicReference<Route>();
            window.page().route(url -> url.contains("/_orrery/ranges"), held::set);
            window.link("Cost").click();
            window.page().waitForCondition(() -> held.get() != null);
            window.page().keyboard().press("1");
            window.link("1").waitFor();
            window.page().waitForResponse(url -> url.url().contains("/_orrery/ranges"), () -> {
                if (itFails) {
                    held.get().fulfill(new Route.FulfillOptions().setStatus(500).setBody("{}"));
                } else {
                    held.get().resume();
                }
            });
            window.link("1").click();
            window.page().locator(".CodeMirror").waitFor();
            window.edit(0, window.edited(0).replace("1", "2"));
            window.link("Cost").click();
            window.awaitTexts(window.dialog(), "Leave without saving?");
            window.inDialog("Cancel").click();
            assertThat(window.edited(0)).contains("2");
            window.page().unrouteAll();
        }
    }

    @Test
    void aStreamOfChangesThatIsNotWantedAnyMoreIsNotOpened() {
        var shop = new Shop(server).add("1", "ada", "");
        try (var window = ExplorerWindow.open(server, shop.at("query"))) {
            window.page().locator(".CodeMirror").waitFor();
            var asked = new ArrayList<String>();
            window.page().onRequest(request -> asked.add(request.url()));
            var held = new AtomicReference<Route>();
            window.page().route(url -> url.endsWith(shop.path()), route -> {
                if (!held.compareAndSet(null, route)) {
                    route.resume();
                }
            });
            window.link("Changes").click();
            window.page().waitForCondition(() -> held.get() != null);
            window.page().keyboard().press("1");
            window.link("1").waitFor();
            window.page()
                    .waitForResponse(
                            reply -> reply.url().endsWith(shop.path()),
                            () -> held.get().resume());
            window.link("1").click();
            window.page().locator(".CodeMirror").waitFor();
            assertThat(asked).noneMatch(url -> url.contains("/changes"));
            window.page().unrouteAll();
        }
    }

    @Test
    void closingTheTabAsksWhereSomethingIsNotSaved() {
        var shop = new Shop(server).add("1", "ada", "\"n\":1");
        shop.client().post(shop.path() + "/sprocs", "{\"id\":\"hello\",\"body\":\"function () { return 1; }\"}");
        try (var window = ExplorerWindow.open(server, shop.at("items?item=1&key=[%22ada%22]"))) {
            window.page().locator(".CodeMirror").waitFor();
            assertThat(asksBeforeClosing(window)).isFalse();
            window.edit(0, window.edited(0).replace("\"n\": 1", "\"n\": 2"));
            assertThat(asksBeforeClosing(window)).isTrue();
            window.button("Save").click();
            window.awaitText("Saved for");
            assertThat(asksBeforeClosing(window)).isFalse();
            window.go(shop.at("procedure?id=hello"));
            window.awaitText("Procedure hello");
            window.edit(0, "function () { return 2; }");
            assertThat(asksBeforeClosing(window)).isTrue();
            window.button("Save").click();
            window.awaitText("Saved hello.");
            assertThat(asksBeforeClosing(window)).isFalse();
        }
    }

    /** Browsers ask when a page does not let this event pass. */
    private static boolean asksBeforeClosing(ExplorerWindow window) {
        return (Boolean)
                window.page().evaluate("() => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))");
    }

    @Test
    void aWayBackStaysForAsLongAsSomebodyIsAtIt() {
        var shop = new Shop(server).add("1", "ada", "\"n\":1");
        try (var window = ExplorerWindow.open(server, shop.at("items?item=1&key=[%22ada%22]"))) {
            window.page().clock().install();
            window.page().reload();
            window.page().locator(".CodeMirror").waitFor();
            window.edit(0, window.edited(0).replace("\"n\": 1", "\"n\": 2"));
            window.button("Save").click();
            window.button("Undo").waitFor();
            window.page().clock().fastForward("00:30");
            assertThat(window.button("Undo").count()).isEqualTo(1);
            window.main().focus();
            window.page().keyboard().press("u");
            window.page().clock().fastForward("02:00");
            assertThat(window.button("Undo").count()).isEqualTo(1);
            window.main().focus();
            window.button("Undo").hover();
            window.page().clock().fastForward("02:00");
            assertThat(window.button("Undo").count()).isEqualTo(1);
            window.page().mouse().move(1, 1);
            window.page().clock().fastForward("02:00");
            window.button("Undo").waitFor(new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED));
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Test
    void findingOutWhatOneMayDoLeavesNoTraceInTheAuditLog(@TempDir Path folder) {
        var log = folder.resolve("audit.log");
        try (var own = OrreryServer.startInMemory(folder, "--audit-log", log.toString());
                var window = ExplorerWindow.open(own, "")) {
            window.button("New database").waitFor();
            window.page().reload();
            window.button("New database").waitFor();
            assertThat(log)
                    .satisfiesAnyOf(
                            file -> assertThat(file).doesNotExist(),
                            file -> assertThat(file).isEmptyFile());
            window.button("New database").click();
            window.dialog().getByLabel("Name").fill("noted");
            window.inDialog("Make it").click();
            window.awaitText("This database has no containers");
            Await.until("what was made is in the log", () -> read(log).contains("noted"));
        }
    }
}
