package dev.orrery.gateway.request;

import dev.orrery.engine.operation.Operation.ChangeMode;
import dev.orrery.engine.operation.Operation.ChangesWanted;
import dev.orrery.gateway.auth.HttpDate;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/** Reads the headers by which a request for items becomes one for their changes. */
final class ChangesReader {
    private static final String WRAPPED_FORMAT = "2021-09-15";

    private ChangesReader() {}

    static Optional<ChangesWanted> find(TypedHeaders headers) {
        return headers.text("a-im").map(manner -> read(mode(manner), headers));
    }

    private static ChangesWanted read(ChangeMode mode, TypedHeaders headers) {
        var format = headers.text("x-ms-cosmos-changefeed-wire-format-version");
        if (format.isPresent() && !format.get().equals(WRAPPED_FORMAT)) {
            throw bad("The header x-ms-cosmos-changefeed-wire-format-version must be " + WRAPPED_FORMAT + " or missing,"
                    + " not: " + format.get());
        }
        return new ChangesWanted(
                mode,
                headers.text("if-none-match"),
                headers.text("if-modified-since").map(ChangesReader::time),
                mode == ChangeMode.ALL_VERSIONS || format.isPresent(),
                headers.isTrue("x-orrery-previous-images"));
    }

    /** SDKs disagree on upper and lower case. */
    private static ChangeMode mode(String manner) {
        return switch (manner.strip().toLowerCase(Locale.ROOT)) {
            case "incremental feed" -> ChangeMode.LATEST_VERSION;
            case "full-fidelity feed" -> ChangeMode.ALL_VERSIONS;
            default -> throw bad("The header A-IM must be Incremental Feed or Full-Fidelity Feed, not: " + manner);
        };
    }

    private static Instant time(String text) {
        return Instant.ofEpochSecond(HttpDate.parse(text.strip())
                .orElseThrow(
                        () -> bad("The header If-Modified-Since must be a date such as Sun, 15 Nov 2026 18:19:28 GMT,"
                                + " not: " + text)));
    }

    private static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
