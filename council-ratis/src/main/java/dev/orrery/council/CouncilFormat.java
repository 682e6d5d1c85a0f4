package dev.orrery.council;

import dev.orrery.council.CouncilState.Change;
import dev.orrery.council.CouncilState.Command;
import dev.orrery.council.CouncilState.Found;
import dev.orrery.council.CouncilState.Renew;
import dev.orrery.council.CouncilState.Step;
import dev.orrery.council.CouncilState.Verdict;
import dev.orrery.region.Charter;
import dev.orrery.region.CharterFormat;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * How the council's log, snapshots and answers are written. Numbers are big-endian, texts as {@code writeUTF} has them,
 * charters as {@link CharterFormat} does.
 *
 * <pre>
 * command = format:1 kind:1 (charter | member epoch:8 | charter isFree:1 renewals:8)
 * state   = format:1 hasCharter:1 [charter] renewals:8 isFree:1
 * answer  = verdict state
 * </pre>
 */
final class CouncilFormat {
    private static final int FORMAT = 1;

    // On disk: append only.
    private static final int FOUND = 0;
    private static final int RENEW = 1;
    private static final int CHANGE = 2;

    private CouncilFormat() {}

    static byte[] encode(Command command) {
        return written(out -> {
            out.writeByte(FORMAT);
            switch (command) {
                case Found found -> {
                    out.writeByte(FOUND);
                    CharterFormat.write(out, found.charter());
                }
                case Renew renew -> {
                    out.writeByte(RENEW);
                    out.writeUTF(renew.member());
                    out.writeLong(renew.epoch());
                }
                case Change change -> {
                    out.writeByte(CHANGE);
                    CharterFormat.write(out, change.next());
                    out.writeBoolean(change.isFree());
                    out.writeLong(change.renewals());
                }
            }
        });
    }

    static Command decodeCommand(byte[] bytes) {
        return read(bytes, in -> {
            checkFormat(in);
            int kind = in.readByte();
            return switch (kind) {
                case FOUND -> new Found(CharterFormat.read(in));
                case RENEW -> new Renew(in.readUTF(), in.readLong());
                case CHANGE -> new Change(CharterFormat.read(in), in.readBoolean(), in.readLong());
                default -> throw new IOException("a command of kind " + kind + " is of a later version");
            };
        });
    }

    static byte[] encode(CouncilState state) {
        return written(out -> write(out, state));
    }

    static CouncilState decodeState(byte[] bytes) {
        return read(bytes, CouncilFormat::readState);
    }

    static byte[] encode(Step answer) {
        return written(out -> {
            out.writeUTF(answer.verdict().name());
            write(out, answer.state());
        });
    }

    static Step decodeAnswer(byte[] bytes) {
        return read(bytes, in -> new Step(Verdict.valueOf(in.readUTF()), readState(in)));
    }

    private static void write(DataOutputStream out, CouncilState state) throws IOException {
        out.writeByte(FORMAT);
        out.writeBoolean(state.charter().isPresent());
        if (state.charter().isPresent()) {
            CharterFormat.write(out, state.charter().get());
        }
        out.writeLong(state.renewals());
        out.writeBoolean(state.isFree());
    }

    private static CouncilState readState(DataInputStream in) throws IOException {
        checkFormat(in);
        Optional<Charter> charter = in.readBoolean() ? Optional.of(CharterFormat.read(in)) : Optional.empty();
        return new CouncilState(charter, in.readLong(), in.readBoolean());
    }

    private static void checkFormat(DataInputStream in) throws IOException {
        int format = in.readByte();
        if (format != FORMAT) {
            throw new IOException("format " + format + " of the council is not known here");
        }
    }

    private interface Writing {
        void to(DataOutputStream out) throws IOException;
    }

    private interface Reading<T> {
        T from(DataInputStream in) throws IOException;
    }

    private static byte[] written(Writing writing) {
        var bytes = new ByteArrayOutputStream();
        try {
            writing.to(new DataOutputStream(bytes));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return bytes.toByteArray();
    }

    private static <T> T read(byte[] bytes, Reading<T> reading) {
        try {
            return reading.from(new DataInputStream(new ByteArrayInputStream(bytes)));
        } catch (IOException damaged) {
            throw new UncheckedIOException(damaged);
        }
    }
}
