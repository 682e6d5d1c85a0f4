package dev.orrery.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.operation.Caller.Principal;
import dev.orrery.gateway.Signing;
import dev.orrery.gateway.TestRequest;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.http.RequestHeaders;
import dev.orrery.gateway.route.Route;
import dev.orrery.model.FailureException;
import dev.orrery.model.WireStatus;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AuthenticatorTest {
    private static final Instant NOW = Instant.parse("2026-11-15T18:19:28Z");
    private static final String DATE = "Sun, 15 Nov 2026 18:19:28 GMT";
    private static final String LOWER_DATE = "sun, 15 nov 2026 18:19:28 gmt";

    private static final String PRIMARY = key(1);
    private static final String SECONDARY = key(2);
    private static final String PRIMARY_READER = key(3);
    private static final String SECONDARY_READER = key(4);

    private final Authenticator authenticator = new Authenticator(
            () -> new AccountKeys(
                    PRIMARY, Optional.of(SECONDARY), Optional.of(PRIMARY_READER), Optional.of(SECONDARY_READER)),
            Duration.ofMinutes(15),
            InstantSource.fixed(NOW));

    private static String key(int filler) {
        var bytes = new byte[64];
        bytes[0] = (byte) filler;
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Test
    void keysThatAreReplacedCountFromTheNextRequestOn() {
        var keys = new AtomicReference<>(AccountKeys.of(PRIMARY));
        var live = new Authenticator(keys::get, Duration.ofMinutes(15), InstantSource.fixed(NOW));
        var old = TestRequest.get("/dbs").header("x-ms-date", DATE).signedWith(PRIMARY);
        var fresh = TestRequest.get("/dbs").header("x-ms-date", DATE).signedWith(SECONDARY);
        var route = Route.parse("/dbs");
        assertThat(live.authenticate(old, route).by()).isEqualTo("primary key");

        keys.set(new AccountKeys(SECONDARY, Optional.of(PRIMARY), Optional.empty(), Optional.empty()));
        assertThat(live.authenticate(old, route).by()).isEqualTo("secondary key");
        assertThat(live.authenticate(fresh, route).by()).isEqualTo("primary key");

        keys.set(AccountKeys.of(SECONDARY));
        assertRefused(401, () -> live.authenticate(old, route));
    }

    @Test
    void theFourKeysProveAnOwnerOrAReader() {
        assertThat(readItemWith(PRIMARY)).isInstanceOf(Principal.Owner.class);
        assertThat(readItemWith(SECONDARY)).isInstanceOf(Principal.Owner.class);
        assertThat(readItemWith(PRIMARY_READER)).isInstanceOf(Principal.Reader.class);
        assertThat(readItemWith(SECONDARY_READER)).isInstanceOf(Principal.Reader.class);
    }

    @Test
    void anUnknownKeyIsRefusedAndTheExpectedPayloadShown() {
        assertThatThrownBy(() -> readItemWith(key(5)))
                .hasMessageContaining("'get\ndocs\ndbs/d/colls/c/docs/i\n" + LOWER_DATE + "\n\n'")
                .satisfies(thrown -> assertThat(status(thrown)).isEqualTo(401));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "DELETE", "PUT"})
    void aSignatureHoldsForOneMethodOnly(String method) {
        var header = Signing.header(PRIMARY, "get\ndocs\ndbs/d/colls/c/docs/i\n" + LOWER_DATE + "\n\n");
        assertRefused(401, () -> authenticate(method, "/dbs/d/colls/c/docs/i", header));
    }

    @Test
    void aSignatureHoldsForOneResourceOnly() {
        var header = Signing.header(PRIMARY, "get\ndocs\ndbs/d/colls/c/docs/i\n" + LOWER_DATE + "\n\n");
        assertRefused(401, () -> authenticate("GET", "/dbs/d/colls/c/docs/I", header));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        a%20b               | a b
        a+b                 | a+b
        a%2bb               | a+b
        100%25              | 100%
        %E4%BD%A0%E5%A5%BD  | 你好
        CaseMatters         | CaseMatters
        """)
    void namesAreSignedAsTheUserWroteThem(String encoded, String id) {
        var header = Signing.header(PRIMARY, "get\ndocs\ndbs/d/colls/c/docs/" + id + "\n" + LOWER_DATE + "\n\n");
        assertThat(authenticate("GET", "/dbs/d/colls/c/docs/" + encoded, header))
                .isEqualTo(new Principal.Owner());
    }

    @Test
    void addressesByRidAreSignedByTheLastRidOrByTheWholePath() {
        var path = "/dbs/AQIDBA==/colls/AQIDBIAAAAE=/pkranges";
        var rid = Signing.header(PRIMARY, "get\npkranges\naqidbiaaaae=\n" + LOWER_DATE + "\n\n");
        var name = Signing.header(PRIMARY, "get\npkranges\ndbs/AQIDBA==/colls/AQIDBIAAAAE=\n" + LOWER_DATE + "\n\n");
        assertThat(authenticate("GET", path, rid)).isEqualTo(new Principal.Owner());
        assertThat(authenticate("GET", path, name)).isEqualTo(new Principal.Owner());
    }

    @Test
    void anOfferIsSignedByItsRidInLowerCase() {
        var header = Signing.header(PRIMARY, "get\noffers\nab12\n" + LOWER_DATE + "\n\n");
        assertThat(authenticate("GET", "/offers/Ab12", header)).isEqualTo(new Principal.Owner());
    }

    @Test
    void escapesMayBeInLowerCaseOrNotThereAtAll() {
        // Many documents, so that the signatures have plus signs and slashes among them.
        for (int i = 0; i < 50; i++) {
            var text = "get\ndocs\ndbs/d/colls/c/docs/" + i + "\n" + LOWER_DATE + "\n\n";
            var token = "type=master&ver=1.0&sig=" + Signing.signature(PRIMARY, text);
            var path = "/dbs/d/colls/c/docs/" + i;
            var lower = Pattern.compile("%..")
                    .matcher(Signing.encoded(token))
                    .replaceAll(escape -> escape.group().toLowerCase(Locale.ROOT));
            assertThat(authenticate("GET", path, Signing.encoded(token))).isEqualTo(new Principal.Owner());
            assertThat(authenticate("GET", path, lower)).isEqualTo(new Principal.Owner());
            assertThat(authenticate("GET", path, token)).isEqualTo(new Principal.Owner());
        }
    }

    @Test
    void theOrdinaryDateHeaderCountsWhenTheOtherIsMissing() {
        var header = Signing.header(PRIMARY, "get\n\n\n\n" + LOWER_DATE + "\n");
        assertThat(authenticate("GET", "/", Map.of("authorization", header, "date", DATE)))
                .isEqualTo(new Principal.Owner());
        assertRefused(401, () -> authenticate("GET", "/", Map.of("authorization", header)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        Sun, 15 Nov 2026 18:05:28 GMT | 0
        Sun, 15 Nov 2026 18:33:28 GMT | 0
        Sun, 15 Nov 2026 18:03:28 GMT | 403
        Sun, 15 Nov 2026 18:35:28 GMT | 403
        Sun, 15 Nov 2025 18:19:28 GMT | 403
        yesterday                     | 401
        """)
    void theDateMayBeFifteenMinutesOff(String date, int refusal) {
        var header = Signing.header(PRIMARY, "get\n\n\n" + date.toLowerCase(Locale.ROOT) + "\n\n");
        ThrowingCallable call = () -> authenticate("GET", "/", Map.of("authorization", header, "x-ms-date", date));
        if (refusal == 0) {
            assertThatCode(call).doesNotThrowAnyException();
        } else {
            assertRefused(refusal, call);
        }
    }

    @Test
    void aDateTooFarOffIsExplainedWithTheTimeOfTheServer() {
        var date = "Sun, 15 Nov 2026 12:00:00 GMT";
        var header = Signing.header(PRIMARY, "get\n\n\n" + date.toLowerCase(Locale.ROOT) + "\n\n");
        assertThatThrownBy(() -> authenticate("GET", "/", Map.of("authorization", header, "x-ms-date", date)))
                .hasMessageContaining(date)
                .hasMessageContaining(DATE)
                .hasMessageContaining("900 seconds");
    }

    @Test
    void tokensOfPermissionsArePassedOnWhole() {
        var token = "type=resource&ver=1&sig=abc+/==;part&more;";
        assertThat(authenticate("GET", "/", Signing.encoded(token))).isEqualTo(new Principal.TokenHolder(token));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer abc",
                "type=master",
                "type=master&ver=1.0",
                "type=master&sig=abc",
                "type=master&ver=1.0&sig=!!!",
                "type=master&ver=1.0&sig=",
                "type=other&ver=1.0&sig=abc",
                "type=aad&ver=1.0&sig=abc",
                "type=sas&ver=1.0&sig=abc",
                "%",
                "type%3Dmaster%26ver%3D1.0%26sig%3D%zz"
            })
    void anythingElseIsUnauthorized(String header) {
        assertRefused(401, () -> authenticate("GET", "/", header));
    }

    @Test
    void aMissingHeaderIsUnauthorized() {
        assertRefused(401, () -> authenticate("GET", "/", Map.of("x-ms-date", DATE)));
    }

    @Test
    void entraIdIsNamedAsNotOfferedYet() {
        assertThatThrownBy(() -> authenticate("GET", "/", "type=aad&ver=1.0&sig=abc"))
                .hasMessageContaining("Entra ID");
    }

    private Principal readItemWith(String key) {
        var header = Signing.header(key, "get\ndocs\ndbs/d/colls/c/docs/i\n" + LOWER_DATE + "\n\n");
        return authenticate("GET", "/dbs/d/colls/c/docs/i", header);
    }

    private Principal authenticate(String method, String path, String authorization) {
        return authenticate(method, path, Map.of("authorization", authorization, "x-ms-date", DATE));
    }

    private Principal authenticate(String method, String path, Map<String, String> headers) {
        var request = new HttpRequest(
                method,
                path,
                "",
                RequestHeaders.of(new HashMap<>(headers)),
                new byte[0],
                false,
                InetSocketAddress.createUnresolved("localhost", 1));
        return authenticator.authenticate(request, Route.parse(path)).principal();
    }

    private static void assertRefused(int status, ThrowingCallable call) {
        assertThatThrownBy(call).satisfies(thrown -> assertThat(status(thrown)).isEqualTo(status));
    }

    private static int status(Throwable thrown) {
        return WireStatus.of(((FailureException) thrown).failure()).status();
    }
}
