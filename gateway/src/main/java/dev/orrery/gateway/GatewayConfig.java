package dev.orrery.gateway;

import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.direct.AddressFeed;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.reply.Advertised;
import dev.orrery.gateway.reply.CrossOrigin;
import dev.orrery.model.Limits;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * How the account presents itself and whom it lets in.
 *
 * @param account read for every request for the account root, since regions come and go
 * @param clockSkewMax how far the date of a signed request may be from the time of the server
 * @param version of the product, for headers and error messages
 * @param extensions replies to GET at paths that are no part of the protocol, such as health
 * @param guarded those of these paths that need a key of the account, with which a request is signed as one for the
 *     account itself
 * @param direct where clients in Direct mode are served, if they are; asked at every request for addresses
 * @param servesRawQueries whether the server puts rows of several ranges together for everybody who sends a query without
 *     a plan
 */
public record GatewayConfig(
        Supplier<AccountDescription> account,
        AccountKeys keys,
        Duration clockSkewMax,
        Advertised advertised,
        CrossOrigin crossOrigin,
        String version,
        Map<String, Supplier<HttpReply>> extensions,
        Set<String> guarded,
        Supplier<Optional<AddressFeed.Endpoint>> direct,
        boolean servesRawQueries) {

    public GatewayConfig {
        extensions = Map.copyOf(extensions);
        guarded = Set.copyOf(guarded);
    }

    public static GatewayConfig of(AccountDescription account, AccountKeys keys, String version) {
        return new GatewayConfig(
                () -> account,
                keys,
                Duration.ofSeconds(Limits.MASTER_TOKEN_SKEW_SECONDS_MAX),
                Advertised.AS_USED,
                CrossOrigin.LOCAL_PAGES,
                version,
                Map.of(),
                Set.of(),
                Optional::empty,
                false);
    }

    public GatewayConfig withExtensions(Map<String, Supplier<HttpReply>> more) {
        return new GatewayConfig(
                account, keys, clockSkewMax, advertised, crossOrigin, version, more, guarded, direct, servesRawQueries);
    }

    public GatewayConfig withGuarded(Set<String> paths) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                advertised,
                crossOrigin,
                version,
                extensions,
                paths,
                direct,
                servesRawQueries);
    }

    public GatewayConfig withAdvertised(Advertised address) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                address,
                crossOrigin,
                version,
                extensions,
                guarded,
                direct,
                servesRawQueries);
    }

    public GatewayConfig withCrossOrigin(CrossOrigin pages) {
        return new GatewayConfig(
                account, keys, clockSkewMax, advertised, pages, version, extensions, guarded, direct, servesRawQueries);
    }

    public GatewayConfig withDirect(Supplier<Optional<AddressFeed.Endpoint>> endpoint) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                advertised,
                crossOrigin,
                version,
                extensions,
                guarded,
                endpoint,
                servesRawQueries);
    }

    public GatewayConfig withRawQueriesServed(boolean served) {
        return new GatewayConfig(
                account, keys, clockSkewMax, advertised, crossOrigin, version, extensions, guarded, direct, served);
    }

    public GatewayConfig withClockSkewMax(Duration skew) {
        return new GatewayConfig(
                account, keys, skew, advertised, crossOrigin, version, extensions, guarded, direct, servesRawQueries);
    }
}
