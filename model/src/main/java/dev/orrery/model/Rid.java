package dev.orrery.model;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * A resource id, the {@code _rid} property: bytes that say what a resource is and what it belongs to, written in base64
 * with {@code -} for {@code /}.
 *
 * <p>Layout, numbers big-endian unless noted. Clients take these apart.
 *
 * <pre>
 * offer                   number:3 (little-endian)
 * database                database:4
 * user                    database:4 | 0 number:31 bits
 * container               database:4 | 1 number:31 bits
 * permission              user:8 | number:8
 * client encryption key   database:4 | 0:4 | number:4 | 2:4
 * document                container:8 | number:8 (little-endian), of which the highest four bits are the kind, 0
 * other container child   container:8 | number:8 (little-endian), of which the highest four bits are the kind
 * attachment              document:16 | number:4
 * </pre>
 */
public final class Rid {
    public enum Kind {
        OFFER,
        DATABASE,
        USER,
        PERMISSION,
        CLIENT_ENCRYPTION_KEY,
        CONTAINER,
        DOCUMENT(0x0),
        CONFLICT(0x4),
        PARTITION_RANGE(0x5),
        USER_DEFINED_FUNCTION(0x6),
        TRIGGER(0x7),
        STORED_PROCEDURE(0x8),
        SCHEMA(0x9),
        PARTITIONED_SYSTEM_DOCUMENT(0xa),
        SYSTEM_DOCUMENT(0xd),
        HISTORICAL_PARTITION_RANGE(0xe),
        ATTACHMENT;

        private static final int NO_CONTAINER_CHILD = -1;

        /** The highest four bits of what is directly in a container. */
        private final int nibble;

        Kind() {
            this(NO_CONTAINER_CHILD);
        }

        Kind(int nibble) {
            this.nibble = nibble;
        }

        private static Optional<Kind> ofNibble(int nibble) {
            return Arrays.stream(values()).filter(kind -> kind.nibble == nibble).findFirst();
        }
    }

    private static final int OFFER_BYTES = 3;
    private static final int DATABASE_BYTES = 4;
    private static final int CONTAINER_BYTES = 8;
    private static final int CHILD_BYTES = 16;
    private static final int ATTACHMENT_BYTES = 20;

    private static final int CONTAINER_BIT = 0x8000_0000;
    private static final int ENCRYPTION_KEY_TYPE = 2;

    /** Clients subtract document numbers as signed numbers, so the upper half stays unused. */
    private static final long CHILD_NUMBER_MAX = (1L << 59) - 1;

    private static final int OFFER_NUMBER_MAX = (1 << 24) - 1;

    private final Kind kind;
    private final byte[] bytes;

    /** The form that clients see, once somebody has asked for it: every reply about an item does. */
    private String text;

    private Rid(Kind kind, byte[] bytes) {
        this.kind = kind;
        this.bytes = bytes;
    }

    public static Rid offer(int number) {
        demand(number > 0 && number <= OFFER_NUMBER_MAX);
        return new Rid(Kind.OFFER, new byte[] {(byte) number, (byte) (number >> 8), (byte) (number >> 16)});
    }

    public static Rid database(int number) {
        demand(number > 0);
        return new Rid(
                Kind.DATABASE,
                ByteBuffer.allocate(DATABASE_BYTES).putInt(number).array());
    }

    public static Rid user(Rid database, int number) {
        demand(number > 0);
        return new Rid(
                Kind.USER,
                inside(database, Kind.DATABASE, CONTAINER_BYTES).putInt(number).array());
    }

    public static Rid permission(Rid user, int number) {
        demand(number > 0);
        return new Rid(
                Kind.PERMISSION,
                inside(user, Kind.USER, CHILD_BYTES).putLong(number).array());
    }

    public static Rid clientEncryptionKey(Rid database, int number) {
        demand(number > 0);
        return new Rid(
                Kind.CLIENT_ENCRYPTION_KEY,
                inside(database, Kind.DATABASE, CHILD_BYTES)
                        .putInt(0)
                        .putInt(number)
                        .putInt(ENCRYPTION_KEY_TYPE)
                        .array());
    }

    public static Rid container(Rid database, int number) {
        demand(number > 0);
        return new Rid(
                Kind.CONTAINER,
                inside(database, Kind.DATABASE, CONTAINER_BYTES)
                        .putInt(number | CONTAINER_BIT)
                        .array());
    }

    public static Rid document(Rid container, long number) {
        return containerChild(Kind.DOCUMENT, container, number);
    }

    public static Rid partitionRange(Rid container, int number) {
        return containerChild(Kind.PARTITION_RANGE, container, number);
    }

    /** A document, a script, a conflict, or whatever else is directly in a container. */
    public static Rid containerChild(Kind kind, Rid container, long number) {
        demand(kind.nibble != Kind.NO_CONTAINER_CHILD && number >= 0 && number <= CHILD_NUMBER_MAX);
        long tagged = number | (long) kind.nibble << 60;
        return new Rid(
                kind,
                inside(container, Kind.CONTAINER, CHILD_BYTES)
                        .putLong(Long.reverseBytes(tagged))
                        .array());
    }

    public static Rid attachment(Rid document, int number) {
        return new Rid(
                Kind.ATTACHMENT,
                inside(document, Kind.DOCUMENT, ATTACHMENT_BYTES).putInt(number).array());
    }

    private static ByteBuffer inside(Rid parent, Kind kind, int length) {
        demand(parent.kind == kind);
        return ByteBuffer.allocate(length).put(parent.bytes);
    }

    private static void demand(boolean held) {
        if (!held) {
            throw new IllegalStateException("no such resource id");
        }
    }

    /** Reads a text that must be a resource id. */
    public static Rid parse(String text) {
        return find(text)
                .orElseThrow(
                        () -> new FailureException(new Failure.BadRequest("'" + text + "' is not a resource id.")));
    }

    /** Reads a text that may be a resource id, or a name. */
    public static Optional<Rid> find(String text) {
        // Longer than any, or with a slash: a name that base64 would only trip over.
        if (text.isEmpty() || text.length() % 4 != 0 || text.length() > 28 || text.indexOf('/') >= 0) {
            return Optional.empty();
        }
        try {
            var bytes = Base64.getDecoder().decode(text.replace('-', '/'));
            // What has a second spelling is a name: unused bits must be zero.
            return kind(bytes)
                    .map(kind -> new Rid(kind, bytes))
                    .filter(rid -> rid.toString().equals(text));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /** The resource id that {@link #bytes} gave; the array must not be changed from now on. */
    public static Rid ofBytes(byte[] bytes) {
        return find(bytes).orElseThrow(() -> new IllegalStateException("no such resource id"));
    }

    /** The resource id that somebody says these bytes are. */
    public static Optional<Rid> find(byte[] bytes) {
        return kind(bytes).map(kind -> new Rid(kind, bytes));
    }

    private static Optional<Kind> kind(byte[] bytes) {
        return switch (bytes.length) {
            case OFFER_BYTES -> Optional.of(Kind.OFFER);
            case DATABASE_BYTES -> Optional.of(Kind.DATABASE);
            case CONTAINER_BYTES -> Optional.of(isInContainer(bytes) ? Kind.CONTAINER : Kind.USER);
            case CHILD_BYTES ->
                isInContainer(bytes)
                        ? Kind.ofNibble(bytes[CHILD_BYTES - 1] >> 4 & 0xf)
                        : Optional.of(intAt(bytes, 4) == 0 ? Kind.CLIENT_ENCRYPTION_KEY : Kind.PERMISSION);
            case ATTACHMENT_BYTES -> isInContainer(bytes) ? Optional.of(Kind.ATTACHMENT) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static boolean isInContainer(byte[] bytes) {
        return bytes[DATABASE_BYTES] < 0;
    }

    private static int intAt(byte[] bytes, int at) {
        return ByteBuffer.wrap(bytes).getInt(at);
    }

    public Kind kind() {
        return kind;
    }

    /** The bytes; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** The number of the container that this is, or is in. */
    public int containerNumber() {
        demand(bytes.length >= CONTAINER_BYTES && isInContainer(bytes));
        return intAt(bytes, DATABASE_BYTES) & ~CONTAINER_BIT;
    }

    /** The number of a document in its container; documents are in this order for clients. */
    public long documentNumber() {
        demand(kind == Kind.DOCUMENT);
        return Long.reverseBytes(ByteBuffer.wrap(bytes).getLong(CONTAINER_BYTES));
    }

    public boolean isDocumentOf(Rid container) {
        return kind == Kind.DOCUMENT
                && Arrays.equals(bytes, 0, CONTAINER_BYTES, container.bytes, 0, container.bytes.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Rid that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The form that clients see. */
    @Override
    public String toString() {
        var known = text;
        if (known == null) {
            known = Base64.getEncoder().encodeToString(bytes).replace('/', '-');
            text = known; // a race only makes the same text twice
        }
        return known;
    }
}
