package dev.orrery.gateway.request;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Operation.ChangeMode;
import dev.orrery.engine.operation.Operation.ChangesWanted;
import dev.orrery.engine.operation.Operation.ReadChanges;
import dev.orrery.engine.operation.Operation.Scope;
import dev.orrery.gateway.auth.HttpDate;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.route.PercentCoding;
import dev.orrery.gateway.stream.StreamWanted;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.key.PartitionKey;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Reads what a request for a stream of changes asks for in the query of its address, and where it goes on. */
public final class StreamReader {
    private static final Set<String> NAMES = Set.of("from", "mode", "follow", "partitionKey", "previous");
    private static final Set<String> NAMED_STARTS = Set.of("beginning", "now");
    private static final Pattern EVENT_ID = Pattern.compile("([0-9:,]+)@([^@\\s]+)");

    private final Map<String, String> parameters;

    private StreamReader(Map<String, String> parameters) {
        this.parameters = parameters;
    }

    public static StreamWanted read(Address container, HttpRequest request) {
        if (!request.method().equals("GET")) {
            throw new FailureException(new Failure.MethodNotAllowed(
                    "The method " + request.method() + " is not allowed for a stream of changes."));
        }
        var parameters = parameters(request.rawQuery());
        // As in every other request; an address is easier to make for programs that set no headers.
        request.header("x-ms-documentdb-partitionkey").ifPresent(key -> parameters.putIfAbsent("partitionKey", key));
        return new StreamReader(parameters).wanted(container, request.header("last-event-id"));
    }

    private static Map<String, String> parameters(String rawQuery) {
        var parameters = new HashMap<String, String>();
        for (var part : rawQuery.split("&", -1)) {
            int equals = part.indexOf('=');
            var name = PercentCoding.decode(equals < 0 ? part : part.substring(0, equals));
            if (part.isEmpty()) {
                continue;
            }
            if (!NAMES.contains(name)) {
                throw bad("A stream of changes has the parameters from, mode, follow, partitionKey and previous, not: "
                        + name);
            }
            parameters.put(name, equals < 0 ? "" : PercentCoding.decode(part.substring(equals + 1)));
        }
        return parameters;
    }

    private StreamWanted wanted(Address container, Optional<String> lastEventId) {
        var mode = mode();
        boolean previous = flag("previous", false);
        if (previous && mode != ChangeMode.ALL_VERSIONS) {
            throw bad("previous=true goes with mode=all-versions only: of other changes, nothing else is kept.");
        }
        var place = lastEventId.map(StreamReader::place);
        var from = parameters.getOrDefault("from", mode == ChangeMode.ALL_VERSIONS ? "now" : "beginning");
        if (from.equals("beginning") && place.isEmpty()) {
            demandLatest(mode);
        }
        Optional<String> start = from.equals("now") ? Optional.of(ChangesWanted.NOW) : Optional.empty();
        Optional<Instant> since = NAMED_STARTS.contains(from) ? Optional.empty() : Optional.of(time(from));
        var changes = new ChangesWanted(
                mode, place.map(Place::tag).or(() -> start), since, mode == ChangeMode.ALL_VERSIONS, previous);
        var scope = new Scope(
                Optional.empty(),
                Optional.ofNullable(parameters.get("partitionKey")).map(PartitionKey::parse),
                Optional.empty());
        return new StreamWanted(
                new ReadChanges(container, scope, changes, Optional.of(Limits.CHANGE_STREAM_PAGE_ITEMS)),
                flag("follow", true),
                place.map(Place::container));
    }

    private static void demandLatest(ChangeMode mode) {
        if (mode == ChangeMode.ALL_VERSIONS) {
            throw bad("All versions are kept for a while only, so they cannot be read from the beginning:"
                    + " use from=now, which is the default, or a time that is not too long ago.");
        }
    }

    private ChangeMode mode() {
        var mode = parameters.getOrDefault("mode", "latest");
        return switch (mode) {
            case "latest" -> ChangeMode.LATEST_VERSION;
            case "all-versions" -> ChangeMode.ALL_VERSIONS;
            default -> throw bad("The parameter mode is latest or all-versions, not: " + mode);
        };
    }

    private boolean flag(String name, boolean unstated) {
        var value = parameters.get(name);
        return switch (value) {
            case null -> unstated;
            case "true" -> true;
            case "false" -> false;
            default -> throw bad("The parameter " + name + " is true or false, not: " + value);
        };
    }

    /** Up to where a client has been told, and of which container. */
    private record Place(String tag, String container) {}

    private static Place place(String id) {
        var parts = EVENT_ID.matcher(id.strip());
        if (!parts.matches()) {
            throw bad("The header Last-Event-ID must be the id of an event of such a stream, not: " + id);
        }
        return new Place(parts.group(1), parts.group(2));
    }

    private static Instant time(String text) {
        return parse(() -> OffsetDateTime.parse(text).toInstant())
                .or(() -> parse(() -> LocalDateTime.parse(text).toInstant(ZoneOffset.UTC)))
                .or(() -> parse(() -> LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC)))
                .or(() -> httpDate(text))
                .orElseThrow(() -> bad("The parameter from is beginning, now, or a time such as 2026-11-15T18:19:28Z,"
                        + " not: " + text));
    }

    private static Optional<Instant> httpDate(String text) {
        var seconds = HttpDate.parse(text.replace('+', ' ')); // Forms write spaces that way.
        return seconds.isPresent() ? Optional.of(Instant.ofEpochSecond(seconds.getAsLong())) : Optional.empty();
    }

    private static Optional<Instant> parse(Supplier<Instant> reading) {
        try {
            return Optional.of(reading.get());
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }

    private static FailureException bad(String message) {
        return new FailureException(new Failure.BadRequest(message));
    }
}
