package dev.orrery.gateway.request;

import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The headers of a request as flags, numbers and lists; a header with an empty value counts as absent. */
public final class TypedHeaders {
    private final HttpRequest request;

    public TypedHeaders(HttpRequest request) {
        this.request = request;
    }

    public Optional<String> text(String name) {
        return request.header(name);
    }

    /** SDKs disagree on the spelling of true, so upper and lower case are the same. */
    public boolean isTrue(String name) {
        return text(name).filter(value -> value.equalsIgnoreCase("true")).isPresent();
    }

    /** A whole number that is not below a minimum. */
    public Optional<Integer> number(String name, int minimum) {
        return text(name).map(value -> number(name, value, minimum));
    }

    private static int number(String name, String value, int minimum) {
        try {
            int number = Integer.parseInt(value.strip());
            if (number >= minimum) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below, together with numbers that are too small.
        }
        throw new FailureException(new Failure.BadRequest(
                "The header " + name + " must be a whole number of at least " + minimum + ", not: " + value));
    }

    /** The parts between commas, without the space around them. */
    public List<String> list(String name) {
        return text(name)
                .map(value -> Arrays.stream(value.split(",", -1))
                        .map(String::strip)
                        .filter(part -> !part.isEmpty())
                        .toList())
                .orElse(List.of());
    }
}
