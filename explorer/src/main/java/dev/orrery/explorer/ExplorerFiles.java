package dev.orrery.explorer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Finds the files of the explorer by the path below its address: its own beside this class, those of libraries in the
 * WebJars that the build names.
 */
public final class ExplorerFiles {
    private static final String FIRST = "index.html";
    private static final String LIBRARIES = "lib/";

    /** Plain names only: no empty segments, nothing hidden, no way up. */
    private static final Pattern PATH =
            Pattern.compile("(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*[A-Za-z0-9_-][A-Za-z0-9._-]*");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    /**
     * A file as it is served.
     *
     * @param lasting whether its address has its version in it, so that a browser need never ask for it again
     */
    @SuppressWarnings("ArrayRecordComponent") // Carried, never compared.
    public record ExplorerFile(String contentType, byte[] content, boolean lasting) {}

    private ExplorerFiles() {}

    /** The file at a path such as {@code style.css}; the empty one is the page itself. */
    public static Optional<ExplorerFile> find(String path) {
        var name = path.isEmpty() ? FIRST : path;
        var type = TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null || !PATH.matcher(name).matches()) {
            return Optional.empty();
        }
        boolean library = name.startsWith(LIBRARIES);
        var resource = library
                ? "META-INF/resources/webjars/" + name.substring(LIBRARIES.length())
                : "dev/orrery/explorer/page/" + name;
        try (var in = ExplorerFiles.class.getClassLoader().getResourceAsStream(resource)) {
            return in == null ? Optional.empty() : Optional.of(new ExplorerFile(type, in.readAllBytes(), library));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
