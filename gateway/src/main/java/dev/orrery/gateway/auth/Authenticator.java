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
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Reads the authorization header: proves signatures made with a key of the account, and passes tokens on. */
public final class Authenticator {
    private static final String ALGORITHM = "HmacSHA256";
    private static final Principal OWNER = new Principal.Owner();
    private static final Principal READER = new Principal.Reader();

    private final List<Key> keys;
    private final long skewSecondsMax;
    private final InstantSource clock;

    // Making a Mac costs more than using it. Requests are proved on event loops, which are few and live long.
    private final ThreadLocal<List<Mac>> macs = ThreadLocal.withInitial(this::newMacs);

    // Within a second, all clients sign the same date.
    private volatile SignedDate lastDate = new SignedDate("", 0);

    private record Key(SecretKeySpec secret, Principal principal) {}

    private record SignedDate(String text, long second) {}

    public Authenticator(AccountKeys accountKeys, Duration skewMax, InstantSource clock) {
        this.keys = keysOf(accountKeys);
        this.skewSecondsMax = skewMax.toSeconds();
        this.clock = clock;
    }

    private static List<Key> keysOf(AccountKeys accountKeys) {
        var keys = new ArrayList<Key>();
        keys.add(key(accountKeys.primary(), OWNER));
        accountKeys.secondary().ifPresent(key -> keys.add(key(key, OWNER)));
        accountKeys.primaryReadOnly().ifPresent(key -> keys.add(key(key, READER)));
        accountKeys.secondaryReadOnly().ifPresent(key -> keys.add(key(key, READER)));
        return List.copyOf(keys);
    }

    private static Key key(String base64, Principal principal) {
        return new Key(new SecretKeySpec(Base64.getDecoder().decode(base64), ALGORITHM), principal);
    }

    public Principal authenticate(HttpRequest request, Route route) {
        var header = request.header("authorization")
                .orElseThrow(() -> unauthorized("The request has no authorization header."));
        var token = decoded(header);
        var signature = signature(token);
        return switch (type(token)) {
            case "master" -> master(request, route, signature);
            case "resource" -> new Principal.TokenHolder(token);
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

    private Principal master(HttpRequest request, Route route, String signature) {
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

        var principal = signer(head + route.signedLink() + tail, claimed)
                .or(() -> route.signedRid().flatMap(rid -> signer(head + rid + tail, claimed)))
                .orElseThrow(() -> wrongSignature(head + route.signedLink() + tail));
        demandFresh(date); // last, so that the time is only discussed with those who hold a key
        return principal;
    }

    private Optional<Principal> signer(String signed, byte[] claimed) {
        var bytes = signed.getBytes(StandardCharsets.UTF_8);
        var ready = macs.get();
        for (int i = 0; i < ready.size(); i++) {
            if (MessageDigest.isEqual(ready.get(i).doFinal(bytes), claimed)) {
                return Optional.of(keys.get(i).principal());
            }
        }
        return Optional.empty();
    }

    private List<Mac> newMacs() {
        return keys.stream().map(key -> newMac(key.secret())).toList();
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
