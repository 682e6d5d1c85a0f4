package dev.orrery.gateway.route;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What the path of a request names, and how the same thing is written in the string that clients sign.
 *
 * @param target what is addressed
 * @param signedType the second line of the string to sign
 * @param signedLink its third line: names as the user wrote them
 */
public record Route(Target target, String signedType, String signedLink) {

    public sealed interface Target {
        /** The account itself. */
        record Account() implements Target {}

        /** All resources of a kind below one parent. */
        record Feed(ResourceKind kind, Address parent) implements Target {}

        /** One resource. */
        record Single(Address address) implements Target {}

        /** Everything in one logical partition of a container, to be deleted. */
        record PartitionDelete(Address container) implements Target {}

        /** Where clients in Direct mode find the copies of ranges; the query of the request says of which. */
        record Addresses() implements Target {}

        /** What changes in a container, as a stream of events. */
        record Changes(Address container) implements Target {}

        /** The methods that make sense here. */
        default List<String> methods() {
            return switch (this) {
                case Account _, Addresses _, Changes _ -> List.of("GET");
                case PartitionDelete _ -> List.of("POST");
                case Feed feed ->
                    switch (feed.kind()) {
                        case PARTITION_RANGE -> List.of("GET");
                        case DATABASE -> List.of("GET", "POST", "HEAD");
                        default -> List.of("GET", "POST");
                    };
                case Single single -> methods(single.address().last().kind());
            };
        }

        private static List<String> methods(ResourceKind kind) {
            return switch (kind) {
                case ITEM -> List.of("GET", "PUT", "PATCH", "DELETE");
                case DATABASE, CONFLICT -> List.of("GET", "DELETE");
                case CLIENT_ENCRYPTION_KEY, OFFER -> List.of("GET", "PUT");
                case STORED_PROCEDURE -> List.of("GET", "POST", "PUT", "DELETE");
                case CONTAINER -> List.of("GET", "PUT", "DELETE", "HEAD");
                case USER, PERMISSION, TRIGGER, USER_DEFINED_FUNCTION, ATTACHMENT -> List.of("GET", "PUT", "DELETE");
                case PARTITION_RANGE -> List.of();
            };
        }
    }

    public static final Route ACCOUNT = new Route(new Target.Account(), "", "");
    private static final String DIRECT_MODE_SEGMENT = "addresses";
    private static final String OPERATIONS_SEGMENT = "operations";
    private static final String PARTITION_DELETE_SEGMENT = "partitionkeydelete";
    private static final String CHANGES_SEGMENT = "changes";
    /** Clients that join the link of an offer to the path of offers say the word twice. */
    private static final String OFFERS_TWICE = "offers/offers/";

    /** The SDK for JavaScript says the word once more behind the id when it reads a conflict, and signs it as a user. */
    private static final String CONFLICTS_AGAIN = "conflicts";

    private static final String FORBIDDEN_IN_NAME = "/\\?#";
    private static final String FORBIDDEN_IN_ITEM_ID = "\\";
    private static final String DATABASE_RID_ENDING = "==";
    private static final int DATABASE_RID_LENGTH = 8;

    /** Reads a path, percent-encoded as on the wire; more than one slash before it, and any behind it, do not matter. */
    public static Route parse(String rawPath) {
        if (!rawPath.startsWith("/")) {
            throw new FailureException(new Failure.BadRequest("An address must begin with a slash, not: " + rawPath));
        }
        int start = 0;
        int end = rawPath.length();
        while (start < end && rawPath.charAt(start) == '/') {
            start++;
        }
        while (end > start && rawPath.charAt(end - 1) == '/') {
            end--;
        }
        return start == end ? ACCOUNT : new Walk(rawPath, start, end).route();
    }

    /**
     * The same for a path with a query, percent-encoded as well. There are no parameters to items: what follows the
     * question mark is the rest of an id, which some clients do not encode.
     */
    public static Route parse(String rawPath, String rawQuery) {
        var route = parse(rawPath);
        boolean cut = !rawQuery.isEmpty()
                && route.target() instanceof Target.Single(var address)
                && address.last().kind() == ResourceKind.ITEM;
        return cut ? parse(rawPath + "%3F" + rawQuery.replace("/", "%2F")) : route;
    }

    /**
     * The third line of the string to sign for clients that address by rid: only the last rid, in lower case. Absent
     * when the path is made of names.
     */
    public Optional<String> signedRid() {
        var address = switch (target) {
            case Target.Account _, Target.Addresses _ -> Address.ACCOUNT;
            case Target.Feed feed -> feed.parent();
            case Target.Single single -> single.address();
            case Target.PartitionDelete delete -> delete.container();
            case Target.Changes changes -> changes.container();
        };
        if (address.isAccount()
                || !looksLikeDatabaseRid(address.segments().getFirst().id())) {
            return Optional.empty();
        }
        return Optional.of(address.last().id().toLowerCase(Locale.ROOT));
    }

    private static boolean looksLikeDatabaseRid(String id) {
        return id.length() == DATABASE_RID_LENGTH && id.endsWith(DATABASE_RID_ENDING);
    }

    /** One pass over the segments of a path: kind, id, kind, id and so on, each kind below the one it belongs to. */
    private static final class Walk {
        private final String path;
        private final int start;
        private final int end;
        private int at;

        Walk(String path, int start, int end) {
            this.path = path;
            this.start = start;
            this.end = end;
            this.at = start;
        }

        Route route() {
            var address = Address.ACCOUNT;
            Optional<ResourceKind> owner = Optional.empty();
            while (true) {
                int wordStart = at;
                String word = segment();
                if (owner.isEmpty() && word.equals(DIRECT_MODE_SEGMENT) && at >= end) {
                    return new Route(new Target.Addresses(), "", "");
                }
                if (word.equals(OPERATIONS_SEGMENT) && owner.equals(Optional.of(ResourceKind.CONTAINER))) {
                    return operation(address, wordStart);
                }
                if (word.equals(CHANGES_SEGMENT) && owner.equals(Optional.of(ResourceKind.CONTAINER)) && at >= end) {
                    // Signed like a request for the items, which clients without an SDK know how to sign.
                    return new Route(
                            new Target.Changes(address), ResourceKind.ITEM.segment(), link(address, wordStart));
                }
                var kind = ResourceKind.find(word).orElse(null);
                if (kind == null || !ownerOf(kind).equals(owner)) {
                    throw unknown();
                }
                if (at >= end) {
                    return new Route(new Target.Feed(kind, address), kind.segment(), link(address, wordStart));
                }
                if (kind == ResourceKind.OFFER && path.startsWith(OFFERS_TWICE, start)) {
                    segment();
                }
                address = address.child(kind, id(kind));
                owner = Optional.of(kind);
                if (at >= end) {
                    return single(kind, address);
                }
                if (kind == ResourceKind.CONFLICT
                        && path.startsWith(CONFLICTS_AGAIN, at)
                        && at + CONFLICTS_AGAIN.length() == end) {
                    return new Route(new Target.Single(address), ResourceKind.USER.segment(), link(address, at));
                }
            }
        }

        private Route single(ResourceKind kind, Address address) {
            if (kind == ResourceKind.PARTITION_RANGE) {
                throw unknown(); // ranges are only ever read all together
            }
            // Offers have no names: clients address and sign them by rid alone.
            var link =
                    kind == ResourceKind.OFFER ? address.last().id().toLowerCase(Locale.ROOT) : link(address, end + 1);
            return new Route(new Target.Single(address), kind.segment(), link);
        }

        private Route operation(Address container, int wordStart) {
            if (at >= end || !segment().equals(PARTITION_DELETE_SEGMENT) || at < end) {
                throw unknown();
            }
            return new Route(
                    new Target.PartitionDelete(container),
                    ResourceKind.CONTAINER.segment(),
                    link(container, wordStart));
        }

        /** The text from here to the next slash, and a step over that slash. */
        private String segment() {
            int slash = path.indexOf('/', at);
            int stop = slash < 0 || slash > end ? end : slash;
            var text = path.substring(at, stop);
            at = stop + 1;
            return text;
        }

        /** Items are not named by those who write addresses, so their ids may hold what divides addresses. */
        private String id(ResourceKind kind) {
            var id = PercentCoding.decode(segment());
            if (id.isEmpty()) {
                throw new FailureException(new Failure.BadRequest("The address has an empty id: " + path));
            }
            var forbidden = kind == ResourceKind.ITEM ? FORBIDDEN_IN_ITEM_ID : FORBIDDEN_IN_NAME;
            if (id.chars().anyMatch(character -> forbidden.indexOf(character) >= 0)) {
                throw new FailureException(
                        impossible(kind, "The address has an id with one of the characters " + forbidden));
            }
            return id;
        }

        /** Clients look for resources that they could not create, and expect to be told that they are not there. */
        private static Failure impossible(ResourceKind kind, String reason) {
            return kind == ResourceKind.ITEM
                    ? new Failure.BadRequest(reason)
                    : new Failure.NotFound("Entity with the specified id does not exist in the system. " + reason);
        }

        /** The decoded path up to a segment, which for paths without escapes is a part of the path as it is. */
        private String link(Address address, int nextSegment) {
            if (path.indexOf('%') >= 0) {
                return address.toString();
            }
            return nextSegment - 1 <= start ? "" : path.substring(start, nextSegment - 1);
        }

        private FailureException unknown() {
            return new FailureException(new Failure.NotFound(
                    "There is no resource at " + path + ": this is not an address of the protocol."));
        }
    }

    /** The kind of the parent; empty for what lies directly below the account. */
    private static Optional<ResourceKind> ownerOf(ResourceKind kind) {
        return switch (kind) {
            case DATABASE, OFFER -> Optional.empty();
            case CONTAINER, USER, CLIENT_ENCRYPTION_KEY -> Optional.of(ResourceKind.DATABASE);
            case ITEM, STORED_PROCEDURE, TRIGGER, USER_DEFINED_FUNCTION, CONFLICT, PARTITION_RANGE ->
                Optional.of(ResourceKind.CONTAINER);
            case PERMISSION -> Optional.of(ResourceKind.USER);
            case ATTACHMENT -> Optional.of(ResourceKind.ITEM);
        };
    }
}
