package dev.orrery.gateway.direct;

import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.http.RequestHeaders;
import dev.orrery.gateway.request.CallerReader;
import dev.orrery.gateway.route.PercentCoding;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Rid;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Makes the request that the gateway serves out of a frame: method, path and headers say the same as its tokens. */
final class DirectRequest {
    private static final int DATABASE_RID_BYTES = 4;
    private static final int CONTAINER_RID_BYTES = 8;

    private DirectRequest() {}

    static HttpRequest read(RequestFrame frame, InetSocketAddress remote) {
        var operation = OperationType.find(frame.operationType()).orElseThrow(() -> unknown(frame));
        var resource = ResourceType.find(frame.resourceType()).orElseThrow(() -> unknown(frame));
        return new HttpRequest(
                operation.method(),
                path(resource, frame.tokens()),
                "",
                new TokenHeaders(frame, operation, resource.describes()),
                frame.payload(),
                true,
                remote);
    }

    /** Enough of a request to refuse it. */
    static HttpRequest bare(RequestFrame frame, InetSocketAddress remote) {
        return new HttpRequest(
                "GET", "/", "", new TokenHeaders(frame, OperationType.READ, false), frame.payload(), true, remote);
    }

    private static FailureException unknown(RequestFrame frame) {
        return new FailureException(new Failure.MethodNotAllowed("Direct mode has no " + frame + " here."));
    }

    private static String path(ResourceType resource, Tokens tokens) {
        if (tokens.has(RequestToken.DATABASE_NAME) || !tokens.has(RequestToken.RESOURCE_ID)) {
            return named(resource, tokens).toString();
        }
        return "/" + ridPath(resource, tokens.bytes(RequestToken.RESOURCE_ID));
    }

    /** The names that are there; without the last of them, the path is that of the list. */
    private static StringBuilder named(ResourceType resource, Tokens tokens) {
        var path = resource.owner().map(owner -> named(owner, tokens)).orElseGet(StringBuilder::new);
        path.append('/').append(resource.kind().segment());
        tokens.text(resource.nameToken()).ifPresent(name -> path.append('/').append(PercentCoding.encode(name)));
        return path;
    }

    /** A rid holds those of all that it lies in, except for lists, where it is that of the owner. */
    private static String ridPath(ResourceType resource, byte[] bytes) {
        var owner = resource.owner();
        if (owner.isEmpty()) {
            return "dbs/" + rid(bytes);
        }
        boolean isOwner = bytes.length == ownerBytes(resource);
        return ridPath(
                        owner.get(),
                        isOwner ? bytes : Arrays.copyOf(bytes, Math.min(ownerBytes(resource), bytes.length)))
                + "/" + resource.kind().segment() + (isOwner ? "" : "/" + rid(bytes));
    }

    private static int ownerBytes(ResourceType resource) {
        return resource.owner().orElseThrow() == ResourceType.DATABASE ? DATABASE_RID_BYTES : CONTAINER_RID_BYTES;
    }

    private static String rid(byte[] bytes) {
        return Rid.find(bytes)
                .map(rid -> PercentCoding.encode(rid.toString()))
                .orElseThrow(() ->
                        new FailureException(new Failure.BadRequest("The resource id of the request is not one.")));
    }

    /** The headers that a client of HTTP would have sent. */
    private record TokenHeaders(RequestFrame frame, OperationType operation, boolean describes)
            implements RequestHeaders {
        @Override
        public Optional<String> find(String name) {
            if (operation.implies(name)) {
                return Optional.of("true");
            }
            var tokens = frame.tokens();
            return switch (name) {
                case "if-none-match" -> operation.isReading() ? tokens.text(RequestToken.MATCH) : Optional.empty();
                case "if-match" -> operation.isReading() ? Optional.empty() : tokens.text(RequestToken.MATCH);
                case "x-ms-activity-id" -> Optional.of(frame.activityId().toString());
                case "x-ms-cosmos-intended-collection-rid" ->
                    RequestToken.INTENDED_CONTAINER.in(tokens).or(() -> tokens.text(RequestToken.CONTAINER_RID));
                // Clients choose the ranges themselves.
                case "x-ms-documentdb-query-enablecrosspartition" -> Optional.of("true");
                case CallerReader.INTENDED_RANGE -> frame.replica().rangeOfContainer();
                // Clients ask for the strongest level where they read what describes, whatever the account's level is.
                case "x-ms-consistency-level" ->
                    describes ? Optional.empty() : RequestToken.CONSISTENCY_LEVEL.in(tokens);
                // How far a range has come is asked of the copy that the client has chosen.
                case "x-ms-documentdb-partitionkeyrangeid" ->
                    RequestToken.RANGE_ID
                            .in(tokens)
                            .or(() -> operation == OperationType.HEAD
                                    ? frame.replica().rangeOfContainer()
                                    : Optional.empty());
                default -> RequestToken.find(name, tokens);
            };
        }

        @Override
        public void forEach(BiConsumer<String, String> action) {
            for (var token : RequestToken.values()) {
                token.in(frame.tokens()).ifPresent(value -> action.accept(token.header(), value));
            }
        }
    }
}
