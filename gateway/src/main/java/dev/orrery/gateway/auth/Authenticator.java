package dev.orrery.gateway.auth;

import dev.orrery.engine.operation.Caller.Principal;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.route.PercentCoding;
import dev.orrery.gateway.route.Route;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Reads the authorization header: proves signatures made with a key of the account, and passes tokens on. */
public final class Authenticator {
    private static final String ALGORITHM = "HmacSHA256";
    private static final Principal OWNER = new Principal.Owner();
    private static final Principal READER = new Principal.Reader();

    private final Supplier<AccountKeys> keys;
    private final long skewSecondsMax;
    private final InstantSource clock;

    // Making a Mac costs more than using it. Requests are proved on event loops, which are few and live long.
    private final ThreadLocal<ReadyKeys> ready = ThreadLocal.withInitial(this::currentKeys);

    // Within a second, all clients sign the same date.
    private volatile SignedDate lastDate = new SignedDate("", 0);

    /** Who sent a request, and what proves it, in words. */
    public record Proof(Principal principal, String by) {}

    private record ReadyKeys(AccountKeys of, List<ReadyKey> keys) {}

    private record ReadyKey(Mac mac, Proof proof) {}

    private record SignedDate(String text, long second) {}

    /** The keys are asked for at every request, since they may be replaced. */
    public Authenticator(Supplier<AccountKeys> keys, Duration skewMax, InstantSource clock) {
        this.keys = keys;
        this.skewSecondsMax = skewMax.toSeconds();
        this.clock = clock;
    }

    public Proof authenticate(HttpRequest request, Route route) {
        var header = request.header("authorization")
                .orElseThrow(() -> unauthorized("The request has no authorization header."));
        var token = decoded(header);
        var signature = signature(token);
        return switch (type(token)) {
            case "master" -> master(request, route, signature);
            case "resource" -> new Proof(new Principal.TokenHolder(token), "resource token");
            case "aad" -> throw unauthorized("Sign-in with Microsoft Entra ID is not offered yet; use an account key.");
            default -> throw unauthorized("The authorization header has a type that is not offered: use type=master.");
        };
    }

    private static String decoded(String header) {
        try {
            return PercentCoding.decode(header);
        } catch (FailureException _) {
            throw malformed();
        }
    }

    /** From {@code type=master&ver=1.0&sig=...}: what stands between the first equals sign and the first ampersand. */
    private static String type(String token) {
        int end = token.indexOf('&');
        if (!token.startsWith("type=") || end < 0) {
            throw malformed();
        }
        return token.substring("type=".length(), end).toLowerCase(Locale.ROOT);
    }

    /** Everything behind {@code sig=}, since signatures of tokens may hold ampersands themselves. */
    private static String signature(String token) {
        int version = token.indexOf("&ver=");
        int start = token.indexOf("&sig=");
        if (version < 0 || start < version) {
            throw malformed();
        }
        return token.substring(start + "&sig=".length());
    }

    private Proof master(HttpRequest request, Route route, String signature) {
        byte[] claimed;
        try {
            claimed = Base64.getDecoder().decode(signature);
        } catch (IllegalArgumentException _) {
            throw malformed();
        }
        var preferredDate = request.header("x-ms-date");
        var date = preferredDate
                .or(() -> request.header("date"))
                .orElseThrow(() -> unauthorized("The request has no date: send it in the header x-ms-date."));
        var head = request.method().toLowerCase(Locale.ROOT) + "\n" + route.signedType() + "\n";
        var lowerDate = date.toLowerCase(Locale.ROOT);
        var tail = preferredDate.isPresent() ? "\n" + lowerDate + "\n\n" : "\n\n" + lowerDate + "\n";

        var proof = signer(head + route.signedLink() + tail, claimed)
                .or(() -> route.signedRid().flatMap(rid -> signer(head + rid + tail, claimed)))
                .orElseThrow(() -> wrongSignature(head + route.signedLink() + tail));
        demandFresh(date); // last, so that the time is only discussed with those who hold a key
        return proof;
    }

    private Optional<Proof> signer(String signed, byte[] claimed) {
        var bytes = signed.getBytes(StandardCharsets.UTF_8);
        for (var key : readyKeys()) {
            if (MessageDigest.isEqual(key.mac().doFinal(bytes), claimed)) {
                return Optional.of(key.proof());
            }
        }
        return Optional.empty();
    }

    private List<ReadyKey> readyKeys() {
        if (!ready.get().of().equals(keys.get())) {
            ready.set(currentKeys());
        }
        return ready.get().keys();
    }

    private ReadyKeys currentKeys() {
        var current = keys.get();
        return new ReadyKeys(current, readyKeys(current));
    }

    private static List<ReadyKey> readyKeys(AccountKeys account) {
        var keys = new ArrayList<ReadyKey>();
        keys.add(readyKey(account.primary(), OWNER, "primary key"));
        account.secondary().ifPresent(key -> keys.add(readyKey(key, OWNER, "secondary key")));
        account.primaryReadOnly().ifPresent(key -> keys.add(readyKey(key, READER, "read-only key")));
        account.secondaryReadOnly().ifPresent(key -> keys.add(readyKey(key, READER, "secondary read-only key")));
        return List.copyOf(keys);
    }

    private static ReadyKey readyKey(String base64, Principal principal, String name) {
        var secret = new SecretKeySpec(Base64.getDecoder().decode(base64), ALGORITHM);
        return new ReadyKey(newMac(secret), new Proof(principal, name));
    }

    private static Mac newMac(SecretKeySpec secret) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java runtime has " + ALGORITHM, e);
        }
    }

    private void demandFresh(String date) {
        var claimed = lastDate;
        if (!claimed.text().equals(date)) {
            claimed = new SignedDate(
                    date,
                    HttpDate.parse(date)
                            .orElseThrow(() -> unauthorized(
                                    "The date of the request is not of the form Sun, 15 Nov 2026 18:19:28 GMT: "
                                            + date)));
            lastDate = claimed;
        }
        var now = clock.instant();
        if (Math.abs(claimed.second() - now.getEpochSecond()) > skewSecondsMax) {
            throw new FailureException(new Failure.Forbidden("The authorization token is not valid at the current time:"
                    + " it was signed for " + date + ", the time of the server is " + HttpDate.format(now)
                    + ", and they may differ by " + skewSecondsMax + " seconds. Check the clock of the client."));
        }
    }

    private static FailureException wrongSignature(String signed) {
        return unauthorized(
                "The input authorization token can't serve the request. Check that the key is the right one and that"
                    + " the expected payload is built as the protocol says. The server used the following payload to"
                    + " sign: '" + signed + "'");
    }

    private static FailureException malformed() {
        return unauthorized(
                "The authorization header is not of the form type=master&ver=1.0&sig=..., percent-encoded.");
    }

    private static FailureException unauthorized(String message) {
        return new FailureException(new Failure.Unauthorized(message));
    }
}
