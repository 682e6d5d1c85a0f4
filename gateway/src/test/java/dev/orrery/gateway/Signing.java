package dev.orrery.gateway;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests the way SDKs do, for tests. */
public final class Signing {
    /** The key that every emulator of the service knows; the recorded requests are signed with it. */
    public static final String WELL_KNOWN_KEY =
            "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

    private Signing() {}

    public static String signature(String key, String text) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(key), "HmacSHA256"));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The whole authorization header: percent-encoded, with escapes in upper case. */
    public static String header(String key, String text) {
        return encoded("type=master&ver=1.0&sig=" + signature(key, text));
    }

    public static String encoded(String token) {
        return URLEncoder.encode(token, StandardCharsets.UTF_8);
    }
}
