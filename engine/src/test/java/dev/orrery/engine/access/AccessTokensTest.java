package dev.orrery.engine.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Rid;
import dev.orrery.model.definition.PermissionDefinition.Mode;
import dev.orrery.model.key.PartitionKey;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccessTokensTest {
    private static final Rid DATABASE = Rid.database(7);
    private static final Rid USER = Rid.user(DATABASE, 3);
    private static final Rid PERMISSION = Rid.permission(USER, 4);
    private static final Grant GRANT =
            new Grant(Mode.ALL, Rid.container(DATABASE, 9), Optional.empty(), Optional.empty());

    private Instant now = Instant.parse("2026-02-03T04:05:06.789Z");
    private final AccessTokens tokens = tokens("secret");

    private AccessTokens tokens(String secret) {
        return new AccessTokens(() -> List.of(secret.getBytes(StandardCharsets.UTF_8)), () -> now);
    }

    private String issue(Grant grant) {
        return tokens.issue(PERMISSION, USER, grant, 3600);
    }

    @Test
    void aTokenHasTheFormThatSdksExpect() {
        assertThat(issue(GRANT)).matches("type=resource&ver=1&sig=[A-Za-z0-9+/]{43}=;[A-Za-z0-9+/]+=*;");
    }

    @Test
    void aTokenHoldsAsLongAsItsSecretIsOneOfThem() {
        var secrets = new ArrayList<>(List.of(bytes("old")));
        var rotated = new AccessTokens(() -> secrets, () -> now);
        var token = rotated.issue(PERMISSION, USER, GRANT, 3600);

        secrets.addFirst(bytes("new"));
        assertThat(rotated.prove(token).grant()).isEqualTo(GRANT);
        assertThat(tokens("new")
                        .prove(rotated.issue(PERMISSION, USER, GRANT, 3600))
                        .grant())
                .isEqualTo(GRANT);

        secrets.removeLast();
        assertThatThrownBy(() -> rotated.prove(token)).isInstanceOf(FailureException.class);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void aTokenSaysWhatThePermissionGrants() {
        var claims = tokens.prove(issue(GRANT));

        assertThat(claims)
                .isEqualTo(new AccessClaims(
                        PERMISSION,
                        USER,
                        GRANT,
                        Instant.parse("2026-02-03T04:05:06Z"),
                        Instant.parse("2026-02-03T05:05:06Z")));
    }

    @Test
    void aTokenMaySayLessThanAContainer() {
        var child = new Address.Segment(ResourceKind.ITEM, "größe 寸; & co.");
        for (var key : new String[] {"[\"x\"]", "[\"a;b\",1.5,null]", "[true]", "[{}]", "[-0]"}) {
            var grant = new Grant(
                    Mode.READ, Rid.container(DATABASE, 9), Optional.of(child), Optional.of(PartitionKey.parse(key)));

            assertThat(tokens.prove(issue(grant)).grant()).as(key).isEqualTo(grant);
        }
        var wholeDatabase = new Grant(Mode.READ, DATABASE, Optional.empty(), Optional.empty());
        assertThat(tokens.prove(issue(wholeDatabase)).grant()).isEqualTo(wholeDatabase);
    }

    @Test
    void aTokenHoldsUntilItsTimeIsOver() {
        var token = tokens.issue(PERMISSION, USER, GRANT, 600);
        var issued = now;

        now = issued.plusSeconds(599);
        assertThat(tokens.prove(token).grant()).isEqualTo(GRANT);

        now = issued.plusSeconds(600);
        assertForbidden(token, "The token expired at 2026-02-03T04:15:06Z.");
    }

    @Test
    void noCharacterOfATokenCanBeChanged() {
        var token = issue(GRANT);
        for (int i = 0; i < token.length(); i++) {
            char other = token.charAt(i) == 'A' ? 'B' : 'A';
            assertForbidden(token.substring(0, i) + other + token.substring(i + 1), "");
        }
    }

    @Test
    void noPartOfATokenIsAToken() {
        var token = issue(GRANT);
        for (int length = 0; length < token.length(); length++) {
            assertForbidden(token.substring(0, length), "");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ";;",
                "type=resource&ver=1&sig=;;",
                "type=resource&ver=1&sig=AAAA;AQ==;",
                "type=resource&ver=1&sig=!!!;AQ==;",
                "type=master&ver=1.0&sig=AAAA",
                "type=aad&ver=1.0&sig=e30"
            })
    void whatIsNoTokenIsRefused(String token) {
        assertForbidden(token, "not one that this server has given out");
    }

    @Test
    void nothingCanBeAddedToAToken() {
        assertForbidden(issue(GRANT) + "x", "not one that this server");
        assertForbidden(issue(GRANT) + ";", "not one that this server");
    }

    @Test
    void theTokenOfAnotherServerIsRefused() {
        var foreign = tokens("other secret").issue(PERMISSION, USER, GRANT, 3600);

        assertForbidden(foreign, "not one that this server has given out");
    }

    @Test
    void theSignatureOfOneTokenDoesNotFitTheClaimsOfAnother() {
        var read = issue(new Grant(Mode.READ, GRANT.resource(), Optional.empty(), Optional.empty()));
        var all = issue(GRANT);

        assertForbidden(read.split(";", -1)[0] + ";" + all.split(";", -1)[1] + ";", "not one that this server");
    }

    @Test
    void aSignatureOverTheBareClaimsIsNotEnough() throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("secret".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        var claims = issue(GRANT).split(";", -1)[1];
        var signature = Base64.getEncoder()
                .encodeToString(mac.doFinal(Base64.getDecoder().decode(claims)));

        assertForbidden("type=resource&ver=1&sig=" + signature + ";" + claims + ";", "not one that this server");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 9, 86_401})
    void aTokenIsValidForSecondsToADay(int seconds) {
        assertThatThrownBy(() -> tokens.issue(PERMISSION, USER, GRANT, seconds))
                .isInstanceOf(FailureException.class)
                .hasMessage("A token can be valid for 10 to 86400 seconds, not " + seconds + ".");
    }

    @Test
    void aTokenIsValidForAnHourUnlessTheClientSaysOtherwise() {
        var claims = tokens.prove(tokens.issue(PERMISSION, USER, GRANT, AccessTokens.UNSTATED_SECONDS));

        assertThat(claims.expires()).isEqualTo(claims.issued().plusSeconds(3600));
    }

    private void assertForbidden(String token, String message) {
        assertThatThrownBy(() -> tokens.prove(token))
                .as(token)
                .isInstanceOfSatisfying(
                        FailureException.class,
                        refused -> assertThat(refused.failure()).isInstanceOf(Failure.Forbidden.class))
                .hasMessageContaining(message);
    }
}
