package dev.orrery.gateway.request;

import dev.orrery.engine.operation.Operation.IndexingDirective;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.util.Locale;
import java.util.Optional;

/** Reads what a write says about the index. */
final class Directives {
    private Directives() {}

    static IndexingDirective read(TypedHeaders headers) {
        return of(headers.text("x-ms-indexing-directive"));
    }

    static IndexingDirective of(Optional<String> text) {
        return text.map(Directives::of).orElse(IndexingDirective.DEFAULT);
    }

    private static IndexingDirective of(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "default" -> IndexingDirective.DEFAULT;
            case "include" -> IndexingDirective.INCLUDE;
            case "exclude" -> IndexingDirective.EXCLUDE;
            default ->
                throw new FailureException(new Failure.BadRequest(
                        "The indexing directive is Include, Exclude or Default, not '" + text + "'."));
        };
    }
}
