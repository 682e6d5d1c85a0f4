package dev.orrery.server;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** What is known of the terminal that somebody sits at. */
final class Terminal {
    private static final int COLUMNS_USUAL = 80;

    private Terminal() {}

    /** How many columns a line may have: as COLUMNS says, or the terminal; no limit when the output goes elsewhere. */
    static int columns() {
        var stated = number(Optional.ofNullable(System.getenv("COLUMNS")).orElse(""));
        if (stated.isPresent()) {
            return stated.get();
        }
        boolean watched = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        return watched ? asked().orElse(COLUMNS_USUAL) : Integer.MAX_VALUE;
    }

    /** How many columns a progress bar may have, or 0 when what goes to stderr is not seen as it comes. */
    static int columnsOfErrors() {
        try {
            var process = new ProcessBuilder("sh", "-c", "test -t 2")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            return process.waitFor() == 0 ? asked().orElse(COLUMNS_USUAL) : 0;
        } catch (IOException unknown) {
            return 0;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    /** Asks the terminal itself, by the one command that all of them have. */
    private static Optional<Integer> asked() {
        try {
            var process = new ProcessBuilder("stty", "size")
                    .redirectInput(new File("/dev/tty"))
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            var rowsAndColumns = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return number(rowsAndColumns.strip().replaceFirst(".* ", ""));
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    private static Optional<Integer> number(String text) {
        return text.matches("[1-9][0-9]{0,4}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
    }
}
