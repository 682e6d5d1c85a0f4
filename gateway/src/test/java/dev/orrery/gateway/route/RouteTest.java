package dev.orrery.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.ResourceKind;
import dev.orrery.gateway.route.Route.Target;
import dev.orrery.model.FailureException;
import dev.orrery.model.WireStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {
    private static final Address CONTAINER =
            Address.ACCOUNT.child(ResourceKind.DATABASE, "d").child(ResourceKind.CONTAINER, "c");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        /dbs                                 | dbs                  | ''
        /dbs/d                               | dbs                  | dbs/d
        /dbs/d/colls                         | colls                | dbs/d
        /dbs/d/colls/c                       | colls                | dbs/d/colls/c
        /dbs/d/colls/c/docs                  | docs                 | dbs/d/colls/c
        /dbs/d/colls/c/docs/i                | docs                 | dbs/d/colls/c/docs/i
        /dbs/d/colls/c/pkranges              | pkranges             | dbs/d/colls/c
        /dbs/d/colls/c/operations/partitionkeydelete | colls        | dbs/d/colls/c
        /dbs/d/colls/c/sprocs/s              | sprocs               | dbs/d/colls/c/sprocs/s
        /dbs/d/colls/c/docs/i/attachments    | attachments          | dbs/d/colls/c/docs/i
        /dbs/d/users/u/permissions           | permissions          | dbs/d/users/u
        /dbs/d/users/u/permissions/p         | permissions          | dbs/d/users/u/permissions/p
        /dbs/d/clientencryptionkeys/k        | clientencryptionkeys | dbs/d/clientencryptionkeys/k
        /dbs/d/colls/c/conflicts/f           | conflicts            | dbs/d/colls/c/conflicts/f
        /dbs/d/colls/c/conflicts/f/conflicts | users                | dbs/d/colls/c/conflicts/f
        /offers                              | offers               | ''
        /offers/Ab12                         | offers               | ab12
        """)
    void aPathIsSignedByItsKindAndTheLinkOfTheResourceOrTheParentOfTheFeed(String path, String type, String link) {
        var route = Route.parse(path);
        assertThat(route.signedType()).isEqualTo(type);
        assertThat(route.signedLink()).isEqualTo(link);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "//", "///"})
    void nothingButSlashesIsTheAccount(String path) {
        assertThat(Route.parse(path)).isEqualTo(new Route(new Target.Account(), "", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/dbs/d/colls/c/docs", "//dbs/d/colls/c/docs", "/dbs/d/colls/c/docs/", "/dbs/d/colls/c/docs//"})
    void slashesAroundAPathDoNotMatter(String path) {
        assertThat(Route.parse(path))
                .isEqualTo(new Route(new Target.Feed(ResourceKind.ITEM, CONTAINER), "docs", "dbs/d/colls/c"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        a%20b            | a b
        a+b              | a+b
        a%2Bb            | a+b
        100%25           | 100%
        %E4%BD%A0%e5%a5%bd | 你好
        %F0%9F%90%98     | 🐘
        Mixed'Case()     | Mixed'Case()
        a%2520b          | a%20b
        docs             | docs
        """)
    void idsArePercentDecodedAndSignedAsTheUserWroteThem(String encoded, String id) {
        var route = Route.parse("/dbs/d/colls/c/docs/" + encoded);
        assertThat(route.target()).isEqualTo(new Target.Single(CONTAINER.child(ResourceKind.ITEM, id)));
        assertThat(route.signedLink()).isEqualTo("dbs/d/colls/c/docs/" + id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "*",
                "dbs/d",
                "example.com:443",
                "/dbs/%",
                "/dbs/%2",
                "/dbs/%zz",
                "/dbs/%C3",
                "/dbs/%FF%FE",
                "/dbs/%ED%A0%80",
                "/dbs/é",
                "/dbs//colls",
                "/dbs/d/colls/c/docs/a%5Cb"
            })
    void whatCannotBeAnAddressIsABadRequest(String path) {
        assertThatThrownBy(() -> Route.parse(path))
                .satisfies(thrown -> assertThat(status(thrown)).isEqualTo(400));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/dbs/a%2Fb",
                "/dbs/a%5Cb",
                "/dbs/a%3Fb",
                "/dbs/a%23b",
                "/dbs/d/colls/a%2Fb",
                "/dbs/d/colls/c/sprocs/a%23b",
                "/dbs/d/colls/c/triggers/a%3Fb"
            })
    void whatNothingMayBeCalledIsNotThere(String path) {
        assertThatThrownBy(() -> Route.parse(path))
                .satisfies(thrown -> assertThat(status(thrown)).isEqualTo(404));
    }

    @ParameterizedTest
    @CsvSource({
        "/dbs/d/colls/c/docs/a%2Fb, '', a/b",
        "/dbs/d/colls/c/docs/a%23b%3F, '', a#b?",
        "/dbs/d/colls/c/docs/a%20, '', 'a '",
        "/dbs/d/colls/c/docs/100%25, '', 100%",
        "/dbs/d/colls/c/docs/a%2520, '', a%20",
        "/dbs/d/colls/c/docs/a, b, a?b",
        "/dbs/d/colls/c/docs/a, b/c?d%20e, a?b/c?d e"
    })
    void theIdOfAnItemMayHoldWhatDividesAddresses(String path, String query, String id) {
        var route = Route.parse(path, query);
        assertThat(((Target.Single) route.target()).address().last().id()).isEqualTo(id);
        assertThat(route.signedLink()).isEqualTo("dbs/d/colls/c/docs/" + id);
    }

    @Test
    void whatIsNoItemDoesNotMindAQuery() {
        assertThat(Route.parse("/dbs/d/colls/c", "x=1")).isEqualTo(Route.parse("/dbs/d/colls/c"));
        assertThat(Route.parse("/dbs/d/colls/c/docs", "x=1")).isEqualTo(Route.parse("/dbs/d/colls/c/docs"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/favicon.ico",
                "/DBS",
                "/colls",
                "/dbs/d/docs",
                "/dbs/d/colls/c/dbs",
                "/dbs/d/colls/c/pkranges/0",
                "/dbs/d/colls/c/operations",
                "/dbs/d/colls/c/operations/other",
                "/dbs/d/colls/c/operations/partitionkeydelete/x",
                "/dbs/d/operations/partitionkeydelete",
                "/dbs/d/changes",
                "/dbs/d/colls/c/changes/x",
                "/offers/a/b",
                "/dbs/d//colls"
            })
    void whatIsNoAddressOfTheProtocolIsNotFound(String path) {
        assertThatThrownBy(() -> Route.parse(path))
                .satisfies(thrown -> assertThat(status(thrown)).isEqualTo(404));
    }

    @Test
    void theStreamOfChangesIsSignedLikeTheItems() {
        var route = Route.parse("/dbs/d/colls/c/changes");
        assertThat(route.target()).isEqualTo(new Target.Changes(CONTAINER));
        assertThat(route.signedType()).isEqualTo("docs");
        assertThat(route.signedLink()).isEqualTo("dbs/d/colls/c");
        assertThat(Route.parse("/dbs/AQIDBA==/colls/AQIDBIAAAAE=/changes").signedRid())
                .contains("aqidbiaaaae=");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/addresses", "/addresses/", "//addresses/"})
    void addressesAreAskedForInSeveralSpellings(String path) {
        assertThat(Route.parse(path).target()).isEqualTo(new Target.Addresses());
    }

    @Test
    void aPathOfRidsIsAlsoSignedByTheLastRidInLowerCase() {
        assertThat(Route.parse("/dbs/AQIDBA==/colls/AQIDBIAAAAE=/pkranges").signedRid())
                .contains("aqidbiaaaae=");
        assertThat(Route.parse("/dbs/AQIDBA==").signedRid()).contains("aqidba==");
        assertThat(Route.parse("/dbs/d/colls/AQIDBIAAAAE=").signedRid()).isEmpty();
        assertThat(Route.parse("/dbs").signedRid()).isEmpty();
    }

    private static int status(Throwable thrown) {
        return WireStatus.of(((FailureException) thrown).failure()).status();
    }
}
