package dev.orrery.gateway.link;

import dev.orrery.gateway.auth.AccountKeys;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key that the regions of an account sign their messages with. It is made from the account's key, so that nothing else
 * has to be given to them; who has it cannot tell the account's key from it.
 */
public final class LinkKey {
    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] PURPOSE = "orrery link between regions".getBytes(StandardCharsets.UTF_8);

    private final SecretKeySpec key;

    private LinkKey(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /**
     * The key for an account.
     *
     * @param accountKey in base64
     */
    public static LinkKey of(String accountKey) {
        return new LinkKey(digest(new SecretKeySpec(Base64.getDecoder().decode(accountKey), ALGORITHM), PURPOSE));
    }

    /** Those of an account's keys with which everything may be done; the one to sign with first. */
    public static List<LinkKey> all(AccountKeys keys) {
        return Stream.of(Optional.of(keys.primary()), keys.secondary())
                .flatMap(Optional::stream)
                .map(LinkKey::of)
                .toList();
    }

    /** A secret for another purpose, from which this key cannot be told. */
    public byte[] secretFor(String purpose) {
        return digest(key, purpose.getBytes(StandardCharsets.UTF_8));
    }

    /** What a message of a moment is signed with, so that none can be used again later or in the other direction. */
    String sign(String direction, long second, byte[] body) {
        var head = (direction + " " + second + " ").getBytes(StandardCharsets.UTF_8);
        var all = new byte[head.length + body.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return Base64.getEncoder().encodeToString(digest(key, all));
    }

    boolean isSigned(String signature, String direction, long second, byte[] body) {
        return MessageDigest.isEqual(
                signature.getBytes(StandardCharsets.UTF_8),
                sign(direction, second, body).getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] digest(SecretKeySpec key, byte[] text) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac.doFinal(text);
        } catch (GeneralSecurityException missing) {
            throw new IllegalStateException("every Java runtime has " + ALGORITHM, missing);
        }
    }
}
