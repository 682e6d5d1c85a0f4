package dev.orrery.gateway.reply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.gateway.TestRequest;
import dev.orrery.gateway.reply.AccountDescription.Region;
import dev.orrery.gateway.reply.AccountDescription.Staleness;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Clients are told addresses that they can reach. */
class AccountRootTest {
    private static final List<Region> REGIONS = List.of(
            Region.beside("West US", 8081),
            Region.beside("North Europe", 8091),
            Region.at("Southeast Asia", "https://east.example:8081/"));
    private static final AccountDescription ACCOUNT = new AccountDescription(
            "orrery", REGIONS.subList(0, 1), REGIONS, ConsistencyLevel.SESSION, Staleness.DEFAULT);

    private static List<String> told(Advertised advertised, TestRequest request) {
        var root = (Obj) JsonReader.parse(new AccountRoot(() -> ACCOUNT, advertised).json(request.unsigned()));
        return ((Arr) root.member("readableLocations"))
                .items().stream()
                        .map(location -> ((Str) ((Obj) location).member("databaseAccountEndpoint")).value())
                        .toList();
    }

    @Test
    void regionsOfOneMachineAreWhereTheClientHasReachedOneOfThem() {
        assertThat(told(Advertised.AS_USED, TestRequest.get("/").header("host", "db:8081")))
                .containsExactly("http://db:8081/", "http://db:8091/", "https://east.example:8081/");
        assertThat(told(
                        Advertised.AS_USED,
                        TestRequest.get("/").header("host", "[::1]:8091").secure()))
                .containsExactly("https://[::1]:8081/", "https://[::1]:8091/", "https://east.example:8081/");
        assertThat(told(Advertised.AS_USED, TestRequest.get("/").header("host", "db")))
                .containsExactly("http://db:8081/", "http://db:8091/", "https://east.example:8081/");
    }

    @Test
    void orWhereTheyAreAdvertised() {
        assertThat(told(
                        new Advertised(Optional.of("https://shop.example:9000/"), false),
                        TestRequest.get("/").header("host", "db:8081")))
                .containsExactly(
                        "https://shop.example:8081/", "https://shop.example:8091/", "https://east.example:8081/");
    }
}
