package dev.orrery.region;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.TreeSet;

/**
 * A charter as bytes, in messages and in the log of a council:
 *
 * <pre>
 * charter = version:8 epoch:8 writer count:4 member* count:4 strong* traits:1 numbers:4
 * member  = name number:4 endpoint council isWitness:1
 * traits  = 1 if members vote, plus 2 if all of them take writes
 * </pre>
 */
public final class CharterFormat {
    private static final int VOTED = 1;
    private static final int MULTI_WRITE = 2;

    private CharterFormat() {}

    public static void write(DataOutputStream out, Charter charter) throws IOException {
        out.writeLong(charter.version());
        out.writeLong(charter.epoch());
        out.writeUTF(charter.writeRegion());
        out.writeInt(charter.members().size());
        for (var member : charter.members()) {
            out.writeUTF(member.name());
            out.writeInt(member.number());
            out.writeUTF(member.endpoint());
            out.writeUTF(member.council());
            out.writeBoolean(member.isWitness());
        }
        out.writeInt(charter.strongSet().size());
        for (var name : new TreeSet<>(charter.strongSet())) {
            out.writeUTF(name);
        }
        out.writeByte((charter.isVoted() ? VOTED : 0) | (charter.isMultiWrite() ? MULTI_WRITE : 0));
        out.writeInt(charter.numbers());
    }

    public static Charter read(DataInputStream in) throws IOException {
        long version = in.readLong();
        long epoch = in.readLong();
        var writer = in.readUTF();
        var members = new ArrayList<Member>();
        for (int left = in.readInt(); left > 0; left--) {
            members.add(new Member(in.readUTF(), in.readInt(), in.readUTF(), in.readUTF(), in.readBoolean()));
        }
        var strong = new HashSet<String>();
        for (int left = in.readInt(); left > 0; left--) {
            strong.add(in.readUTF());
        }
        int traits = in.readByte();
        return new Charter(
                version,
                epoch,
                writer,
                members,
                strong,
                (traits & VOTED) != 0,
                in.readInt(),
                (traits & MULTI_WRITE) != 0);
    }
}
