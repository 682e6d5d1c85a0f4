package dev.orrery.engine.access;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.PermissionDefinition.Mode;
import dev.orrery.model.key.PartitionKey;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/**
 * What a token says; only its server can read and write it:
 *
 * <pre>
 * version:1 | mode:1 | issued:8 | expires:8 | permission | user | resource | child kind | child id | partition key
 * </pre>
 *
 * Times are seconds since 1970. The parts behind them have a length of two bytes in front; what is absent has length 0.
 */
public record AccessClaims(Rid permission, Rid user, Grant grant, Instant issued, Instant expires) {
    /** Tokens outlive a restart of the server: a change of the layout gets a number of its own. */
    private static final byte VERSION = 1;

    private static final byte READ = 1;
    private static final byte ALL = 2;

    byte[] encode() {
        var out = new ByteArrayOutputStream();
        out.write(VERSION);
        out.write(
                switch (grant.mode()) {
                    case READ -> READ;
                    case ALL -> ALL;
                });
        out.writeBytes(ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(issued.getEpochSecond())
                .putLong(expires.getEpochSecond())
                .array());
        write(out, permission.bytes());
        write(out, user.bytes());
        write(out, grant.resource().bytes());
        write(out, grant.child().map(child -> child.kind().segment()).orElse(""));
        write(out, grant.child().map(Address.Segment::id).orElse(""));
        write(out, grant.partition().map(PartitionKey::header).orElse(""));
        return out.toByteArray();
    }

    private static void write(ByteArrayOutputStream out, String text) {
        write(out, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(ByteArrayOutputStream out, byte[] bytes) {
        out.write(bytes.length >>> Byte.SIZE);
        out.write(bytes.length);
        out.writeBytes(bytes);
    }

    /** Reads what this server has signed; empty if another version of it did. */
    static Optional<AccessClaims> decode(byte[] claims) {
        var in = ByteBuffer.wrap(claims);
        if (in.get() != VERSION) {
            return Optional.empty();
        }
        var mode = in.get() == ALL ? Mode.ALL : Mode.READ;
        var issued = Instant.ofEpochSecond(in.getLong());
        var expires = Instant.ofEpochSecond(in.getLong());
        var permission = Rid.ofBytes(read(in));
        var user = Rid.ofBytes(read(in));
        var resource = Rid.ofBytes(read(in));
        var childKind = ResourceKind.find(readText(in));
        var childId = readText(in);
        var partition =
                Optional.of(readText(in)).filter(text -> !text.isEmpty()).map(PartitionKey::parse);
        var grant = new Grant(mode, resource, childKind.map(kind -> new Address.Segment(kind, childId)), partition);
        return Optional.of(new AccessClaims(permission, user, grant, issued, expires));
    }

    private static String readText(ByteBuffer in) {
        return new String(read(in), StandardCharsets.UTF_8);
    }

    private static byte[] read(ByteBuffer in) {
        var bytes = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(bytes);
        return bytes;
    }
}
