package dev.orrery.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Files that are looked at every now and then, because what they hold may be replaced while the server runs. */
final class WatchedFiles {
    private static final long LOOK_MILLIS = 1_000;

    private final List<Path> files;
    private String seen;

    private WatchedFiles(List<Path> files) {
        this.files = List.copyOf(files);
        this.seen = state();
    }

    /** Calls back after each change, until the timer ends. What is called must not throw. */
    @SuppressWarnings("FutureReturnValueIgnored") // Ends with the timer.
    static void follow(List<Path> files, Runnable changed, ScheduledExecutorService timer) {
        if (files.isEmpty()) {
            return;
        }
        var watched = new WatchedFiles(files);
        timer.scheduleWithFixedDelay(() -> watched.look(changed), LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look(Runnable changed) {
        var now = state();
        if (!now.equals(seen)) {
            seen = now;
            changed.run();
        }
    }

    /** What tells one content from the next, also where a link is turned to another file, as Kubernetes does. */
    private String state() {
        var state = new StringBuilder();
        for (var file : files) {
            try {
                var attributes = Files.readAttributes(file, BasicFileAttributes.class);
                state.append(attributes.lastModifiedTime())
                        .append(' ')
                        .append(attributes.size())
                        .append(' ')
                        .append(attributes.fileKey())
                        .append('\n');
            } catch (IOException gone) {
                state.append("gone\n");
            }
        }
        return state.toString();
    }
}
