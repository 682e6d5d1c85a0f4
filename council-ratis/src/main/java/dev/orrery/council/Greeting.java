package dev.orrery.council;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLSocket;

/**
 * How two members make sure of each other before anything else is said: each proves that it has a key of the account, bound
 * to this one connection, so that nobody can stand between them, whatever certificates TLS shows.
 *
 * <pre>
 * caller: "ORRC" format:1 group:16 from to nonce:32
 * called: refusal (empty: goes on) nonce:32 proof:32
 * caller: proof:32
 * called: refusal (empty: welcome)
 * </pre>
 */
final class Greeting {
    private static final int MAGIC = 0x4F525243;
    private static final int FORMAT = 1;
    private static final String PROOF = "HmacSHA256";
    private static final int NONCE_BYTES = 32;
    private static final int PROOF_BYTES = 32;

    private final UUID group;
    private final String member;
    private final Supplier<List<SecretKey>> keys;
    private final RandomGenerator random;

    /** @param keys asked for each connection: the first is shown to whoever calls, and all are believed */
    Greeting(UUID group, String member, Supplier<List<SecretKey>> keys, RandomGenerator random) {
        this.group = group;
        this.member = member;
        this.keys = keys;
        this.random = random;
    }

    /** What both sides prove to have seen. */
    private byte[] talk(String from, String to, byte[] fromNonce, byte[] toNonce, Socket socket) throws IOException {
        var talk = new ByteArrayOutputStream();
        var out = new DataOutputStream(talk);
        out.writeByte(FORMAT);
        out.writeUTF(group.toString());
        out.writeUTF(from);
        out.writeUTF(to);
        out.write(fromNonce);
        out.write(toNonce);
        out.write(channel(socket));
        return talk.toByteArray();
    }

    void call(Socket socket, DataInputStream in, DataOutputStream out, String to) throws IOException {
        byte[] nonce = nonce();
        out.writeInt(MAGIC);
        out.writeByte(FORMAT);
        out.writeLong(group.getMostSignificantBits());
        out.writeLong(group.getLeastSignificantBits());
        out.writeUTF(member);
        out.writeUTF(to);
        out.write(nonce);
        out.flush();
        checkWelcome(to, in.readUTF());
        byte[] theirs = in.readNBytes(NONCE_BYTES);
        byte[] proof = in.readNBytes(PROOF_BYTES);
        byte[] talk = talk(member, to, nonce, theirs, socket);
        var key = proven(proof, "called", talk)
                .orElseThrow(() -> new IOException(to + " has another key than " + member));
        out.write(proof(key, "caller", talk));
        out.flush();
        checkWelcome(to, in.readUTF());
    }

    /** The name of the member that calls. */
    String answer(Socket socket, DataInputStream in, DataOutputStream out) throws IOException {
        if (in.readInt() != MAGIC) {
            throw new IOException("a caller that is no member of a council");
        }
        int format = in.readByte();
        var theirGroup = new UUID(in.readLong(), in.readLong());
        String from = in.readUTF();
        String to = in.readUTF();
        byte[] theirs = in.readNBytes(NONCE_BYTES);
        var refusal = refusal(format, theirGroup, to);
        if (refusal.isPresent()) {
            refuse(out, from, refusal.get());
        }
        byte[] nonce = nonce();
        byte[] talk = talk(from, member, theirs, nonce, socket);
        out.writeUTF("");
        out.write(nonce);
        out.write(proof(keys.get().getFirst(), "called", talk));
        out.flush();
        if (proven(in.readNBytes(PROOF_BYTES), "caller", talk).isEmpty()) {
            refuse(out, from, from + " has another key than " + member);
        }
        out.writeUTF("");
        out.flush();
        return from;
    }

    private Optional<String> refusal(int format, UUID theirGroup, String to) {
        if (format != FORMAT) {
            return Optional.of(member + " speaks format " + FORMAT + " and not " + format);
        }
        if (!theirGroup.equals(group)) {
            return Optional.of(member + " belongs to another account");
        }
        return to.equals(member) ? Optional.empty() : Optional.of("this is " + member + " and not " + to);
    }

    private static void refuse(DataOutputStream out, String from, String why) throws IOException {
        out.writeUTF(why);
        out.flush();
        throw new IOException("refused " + from + ": " + why);
    }

    private static void checkWelcome(String to, String refusal) throws IOException {
        if (!refusal.isEmpty()) {
            throw new IOException(to + " refuses: " + refusal);
        }
    }

    private byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    /** The key that a proof was made with, if it is one of those of the account. */
    private Optional<SecretKey> proven(byte[] proof, String side, byte[] talk) {
        return keys.get().stream()
                .filter(key -> MessageDigest.isEqual(proof, proof(key, side, talk)))
                .findFirst();
    }

    private static byte[] proof(SecretKey key, String side, byte[] talk) {
        try {
            var mac = Mac.getInstance(PROOF);
            mac.init(key);
            mac.update(side.getBytes(StandardCharsets.UTF_8));
            return mac.doFinal(talk);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** What only the two ends of this very connection know; nothing where it is not encrypted. */
    private static byte[] channel(Socket socket) throws IOException {
        if (!(socket instanceof SSLSocket encrypted)) {
            return new byte[0];
        }
        return ((ExtendedSSLSession) encrypted.getSession())
                .exportKeyingMaterialData("EXPORTER-orrery-council", null, PROOF_BYTES);
    }
}
