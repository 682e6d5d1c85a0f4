package dev.orrery.conformance.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.server.OrreryServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A window of a browser that shows the explorer. Whatever a script throws in it, and every request to another host, makes
 * the test fail when the window is closed.
 */
final class ExplorerWindow implements AutoCloseable {
    private static final List<Path> BROWSERS = Stream.of(
                    "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/snap/bin/chromium")
            .map(Path::of)
            .toList();

    private static Browser browser;

    private final BrowserContext context;
    private final Page page;
    private final URI server;
    private final List<String> problems = new ArrayList<>();
    private boolean toleratesFailedRequests;

    private ExplorerWindow(URI server, Browser.NewContextOptions options) {
        this.server = server;
        this.context = browser().newContext(options);
        context.setDefaultTimeout((double) Await.PATIENCE.toMillis());
        this.page = context.newPage();
        page.onPageError(problems::add);
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") && !isExpected(message.text())) {
                problems.add(message.text());
            }
        });
        page.onRequest(request -> {
            var host = URI.create(request.url());
            if (!"data".equals(host.getScheme()) && host.getPort() != server.getPort()) {
                problems.add("a request to another host: " + request.url());
            }
        });
    }

    /** Browsers note every refused request as an error of the page; what the page says of it is what counts. */
    private boolean isExpected(String message) {
        return message.startsWith("Failed to load resource") && (toleratesFailedRequests || !message.contains("ERR_"));
    }

    static ExplorerWindow open(OrreryServer server, String address) {
        return open(server, address, new Browser.NewContextOptions().setViewportSize(1280, 800));
    }

    static ExplorerWindow open(OrreryServer server, String address, Browser.NewContextOptions options) {
        var window = new ExplorerWindow(server.http(), options);
        window.go(address);
        return window;
    }

    static ExplorerWindow dark(OrreryServer server, String address) {
        return open(
                server,
                address,
                new Browser.NewContextOptions().setViewportSize(1280, 800).setColorScheme(ColorScheme.DARK));
    }

    /** Shows a place in the explorer, such as {@code #/shop/orders/items}. */
    void go(String address) {
        page.navigate(server + "/_explorer/" + address);
    }

    /** From now on the server may be gone. */
    void tolerateFailedRequests() {
        toleratesFailedRequests = true;
    }

    Page page() {
        return page;
    }

    Locator main() {
        return page.locator("#main");
    }

    Locator button(String name) {
        return page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(name).setExact(true))
                .first();
    }

    Locator link(String name) {
        return main().getByRole(
                        AriaRole.LINK,
                        new Locator.GetByRoleOptions().setName(name).setExact(true))
                .first();
    }

    Locator treeItem(String name) {
        return page.getByRole(
                        AriaRole.TREEITEM,
                        new Page.GetByRoleOptions().setName(name).setExact(true))
                .first();
    }

    Locator dialog() {
        return page.locator("dialog[open]");
    }

    Locator inDialog(String button) {
        return dialog().getByRole(
                        AriaRole.BUTTON,
                        new Locator.GetByRoleOptions().setName(button).setExact(true));
    }

    /** Waits until an element says all of this, in whatever order: what a page shows, it shows when the browser gets to it. */
    void awaitTexts(Locator element, String... texts) {
        for (var text : texts) {
            element.filter(new Locator.FilterOptions().setHasText(text)).waitFor();
        }
    }

    /** Waits until there are as many elements as there should be. */
    void awaitCount(Locator elements, int count) {
        PlaywrightAssertions.assertThat(elements)
                .hasCount(
                        count, new LocatorAssertions.HasCountOptions().setTimeout((double) Await.PATIENCE.toMillis()));
    }

    /** Waits until the page says something somewhere. */
    void awaitText(String text) {
        page.getByText(text).first().waitFor();
    }

    /** The text in an editor, by its place on the page. */
    String edited(int place) {
        return (String)
                page.evaluate("place => document.querySelectorAll('.CodeMirror')[place].CodeMirror.getValue()", place);
    }

    void edit(int place, String text) {
        page.locator(".CodeMirror").nth(place).waitFor();
        page.evaluate(
                "([place, text]) => document.querySelectorAll('.CodeMirror')[place].CodeMirror.setValue(text)",
                List.of(place, text));
    }

    /** Whether one would have to scroll sideways to see all of the page. */
    boolean overflows() {
        return (Boolean)
                page.evaluate("[document.documentElement, document.getElementById('main')].some(one => one.scrollWidth"
                        + " > one.clientWidth)");
    }

    /** What axe finds that is serious or worse, in words. */
    List<String> barriers() {
        page.evaluate(axe());
        var found = (List<?>) page.evaluate("""
            async () => (await axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }))
              .violations.filter(one => one.impact === 'serious' || one.impact === 'critical')
              .map(one => one.id + ': ' + one.nodes.map(node => node.html.slice(0, 200)).join(' | '))\
            """);
        return found.stream().map(Object::toString).toList();
    }

    private static String axe() {
        try (var in = ExplorerWindow.class.getResourceAsStream("/axe.min.js")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void close() {
        context.close();
        assertThat(problems).as("errors in the page").isEmpty();
    }

    private static synchronized Browser browser() {
        if (browser == null) {
            var program = installed();
            Assumptions.assumeTrue(
                    program.isPresent(), "There is no Chromium on this machine, so nothing is shown in a browser.");
            var playwright = Playwright.create(
                    new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
            browser = playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(program.orElseThrow())
                            .setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")));
            Runtime.getRuntime().addShutdownHook(new Thread(playwright::close));
        }
        return browser;
    }

    private static Optional<Path> installed() {
        return BROWSERS.stream().filter(Files::isExecutable).findFirst();
    }
}
