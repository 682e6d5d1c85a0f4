package dev.orrery.model;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;

/**
 * The id that the server gives a resource; it holds the ids of the resources above it. Clients look inside, so every bit
 * is given:
 *
 * <pre>
 * database      number:4
 * container     database | number:4 with the top bit set
 * user          database | number:4 with the top bit clear
 * document      container | number:8, little-endian, its highest four bits 0
 * range         container | number:8, little-endian, its highest four bits 5
 * permission    user | number:8
 * encryption    database | number:4 | 0:4 | 2:4
 * offer         number:3
 * </pre>
 *
 * Numbers are big-endian where nothing else is said. Written in base64 with {@code -} for {@code /}.
 */
public final class Rid {
    private static final int DATABASE_BYTES = 4;
    private static final int CONTAINER_BYTES = 8;
    private static final int CHILD_BYTES = 16;
    private static final int OFFER_BYTES = 3;
    private static final int TOP_BIT = 0x8000_0000;
    private static final int CLIENT_ENCRYPTION_KEY = 2;
    private static final long RANGE = 5L << 60;

    private final byte[] bytes;

    private Rid(byte[] bytes) {
        this.bytes = bytes;
    }

    public static Rid database(int number) {
        return new Rid(ByteBuffer.allocate(DATABASE_BYTES).putInt(number).array());
    }

    public static Rid container(Rid database, int number) {
        return below(database, Integer.BYTES).withInt(number | TOP_BIT);
    }

    public static Rid user(Rid database, int number) {
        return below(database, Integer.BYTES).withInt(number & ~TOP_BIT);
    }

    /** Clients order items that a query finds equal by this number: it goes up with every new item of a range. */
    public static Rid document(Rid container, long number) {
        return below(container, Long.BYTES).withLong(number);
    }

    public static Rid partitionRange(Rid container, int number) {
        return below(container, Long.BYTES).withLong(number | RANGE);
    }

    public static Rid permission(Rid user, int number) {
        return below(user, Long.BYTES).withLong(number);
    }

    public static Rid clientEncryptionKey(Rid database, int number) {
        return new Rid(ByteBuffer.allocate(CHILD_BYTES)
                .put(database.bytes)
                .putInt(number)
                .putInt(0)
                .putInt(CLIENT_ENCRYPTION_KEY)
                .array());
    }

    public static Rid offer(int number) {
        return new Rid(new byte[] {(byte) (number >>> 16), (byte) (number >>> 8), (byte) number});
    }

    private static Rid below(Rid parent, int numberBytes) {
        return new Rid(Arrays.copyOf(parent.bytes, parent.bytes.length + numberBytes));
    }

    private Rid withInt(int number) {
        ByteBuffer.wrap(bytes).putInt(bytes.length - Integer.BYTES, number);
        return this;
    }

    private Rid withLong(long number) {
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(bytes.length - Long.BYTES, number);
        return this;
    }

    public static Rid ofBytes(byte[] bytes) {
        return new Rid(bytes.clone());
    }

    /** The rid that a text is, if it has the form of one. */
    public static Optional<Rid> find(String text) {
        if (text.length() % 4 != 0) {
            return Optional.empty();
        }
        try {
            var bytes = Base64.getDecoder().decode(text.replace('-', '/'));
            return switch (bytes.length) {
                case OFFER_BYTES, DATABASE_BYTES, CONTAINER_BYTES, CHILD_BYTES -> Optional.of(new Rid(bytes));
                default -> Optional.empty();
            };
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }

    /** The rid that a text is; for texts that the server itself has written. */
    public static Rid parse(String text) {
        return find(text).orElseThrow(() -> new IllegalStateException("A stored rid is malformed"));
    }

    public byte[] bytes() {
        return bytes.clone();
    }

    /** Of a container: the number that it was made with. */
    public int containerNumber() {
        return ByteBuffer.wrap(bytes).getInt(DATABASE_BYTES) & ~TOP_BIT;
    }

    public boolean isDocumentOf(Rid container) {
        return bytes.length == CHILD_BYTES
                && Arrays.equals(bytes, 0, CONTAINER_BYTES, container.bytes, 0, container.bytes.length)
                && bytes[CHILD_BYTES - 1] >>> 4 == 0;
    }

    /** Of a document: the number that it was made with. */
    public long documentNumber() {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(CONTAINER_BYTES);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Rid that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return Base64.getEncoder().encodeToString(bytes).replace('/', '-');
    }
}
