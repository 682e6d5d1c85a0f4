package dev.orrery.engine.access;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.Rid;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Gives out the tokens of permissions, {@code type=resource&ver=1&sig=<signature>;<claims>;}, and believes only its own.
 */
public final class AccessTokens {
    /** Stands for a client that leaves the time to the server. */
    static final int UNSTATED_SECONDS = 0;

    private static final String PREFIX = "type=resource&ver=1&sig=";
    private static final String ALGORITHM = "HmacSHA256";

    /** Signed before the claims, so that no signature made with the same secret for another purpose fits a token. */
    private static final byte[] PURPOSE = "orrery permission token\n".getBytes(StandardCharsets.US_ASCII);

    private final Supplier<List<byte[]>> secrets;
    private final InstantSource clock;

    /** The first of the secrets signs, and what any of them has signed is believed. */
    public AccessTokens(Supplier<List<byte[]>> secrets, InstantSource clock) {
        this.secrets = secrets;
        this.clock = clock;
    }

    /** Refuses a time that no token is given out for. */
    static void demandValidity(int seconds) {
        boolean allowed = seconds >= Limits.RESOURCE_TOKEN_SECONDS_MIN && seconds <= Limits.RESOURCE_TOKEN_SECONDS_MAX;
        if (seconds != UNSTATED_SECONDS && !allowed) {
            throw new FailureException(new Failure.BadRequest("A token can be valid for "
                    + Limits.RESOURCE_TOKEN_SECONDS_MIN + " to " + Limits.RESOURCE_TOKEN_SECONDS_MAX + " seconds, not "
                    + seconds + "."));
        }
    }

    public String issue(Rid permission, Rid user, Grant grant, int seconds) {
        demandValidity(seconds);
        int valid = seconds == UNSTATED_SECONDS ? Limits.RESOURCE_TOKEN_SECONDS_DEFAULT : seconds;
        var now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        var claims = new AccessClaims(permission, user, grant, now, now.plusSeconds(valid)).encode();
        var base64 = Base64.getEncoder();
        return PREFIX + base64.encodeToString(sign(claims, secrets.get().getFirst())) + ";"
                + base64.encodeToString(claims) + ";";
    }

    /** What a token says, if this server said it and it still holds. */
    public AccessClaims prove(String token) {
        var claims = AccessClaims.decode(signedClaims(token)).orElseThrow(AccessTokens::notOurs);
        if (!clock.instant().isBefore(claims.expires())) {
            throw forbidden("The token expired at " + claims.expires() + ". Read the permission to get a new one.");
        }
        return claims;
    }

    private byte[] signedClaims(String token) {
        if (!token.startsWith(PREFIX)) {
            throw notOurs();
        }
        var parts = token.substring(PREFIX.length()).split(";", -1);
        if (parts.length != 3 || !parts[2].isEmpty()) {
            throw notOurs();
        }
        var signature = decode(parts[0]);
        var claims = decode(parts[1]);
        // In constant time: how far a forged signature agrees must not show in the time it takes to refuse it.
        if (secrets.get().stream().noneMatch(secret -> MessageDigest.isEqual(signature, sign(claims, secret)))) {
            throw notOurs();
        }
        return claims;
    }

    private static byte[] decode(String base64) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException _) {
            throw notOurs();
        }
        // Other texts stand for the same bytes, since the last character has bits to spare; only one is ours.
        if (!Base64.getEncoder().encodeToString(bytes).equals(base64)) {
            throw notOurs();
        }
        return bytes;
    }

    private static byte[] sign(byte[] claims, byte[] secret) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update(PURPOSE);
            return mac.doFinal(claims);
        } catch (GeneralSecurityException failure) {
            throw new IllegalStateException("Every Java platform has HmacSHA256", failure);
        }
    }

    private static FailureException notOurs() {
        return forbidden("The token is not one that this server has given out.");
    }

    private static FailureException forbidden(String message) {
        return new FailureException(new Failure.Forbidden(message));
    }
}
