package dev.orrery.gateway;

import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.auth.ServedNames;
import dev.orrery.gateway.direct.AddressFeed;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.reply.AccountDescription;
import dev.orrery.gateway.reply.Advertised;
import dev.orrery.gateway.reply.CrossOrigin;
import dev.orrery.model.Limits;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * How the account presents itself and whom it lets in.
 *
 * @param account read for every request for the account root, since regions come and go
 * @param keys asked for at every request, since they may be replaced
 * @param clockSkewMax how far the date of a signed request may be from the time of the server
 * @param servedNames hosts that requests may be sent to while the key is well known
 * @param version of the product, for headers and error messages
 * @param extensions replies to GET at paths that are no part of the protocol, such as health
 * @param guarded those of these paths that need a key of the account, with which a request is signed as one for the
 *     account itself
 * @param commands what POST does at paths that are no part of the protocol
 * @param direct where clients in Direct mode are served, if they are; asked at every request for addresses
 * @param audit is told who changes what describes the data, if anybody wants to know
 * @param openAccount whether the account itself is shown to whoever has no key, as the emulators do
 * @param servesRawQueries whether the server puts rows of several ranges together for everybody who sends a query without
 *     a plan
 */
public record GatewayConfig(
        Supplier<AccountDescription> account,
        Supplier<AccountKeys> keys,
        Duration clockSkewMax,
        ServedNames servedNames,
        Advertised advertised,
        CrossOrigin crossOrigin,
        String version,
        Map<String, Function<HttpRequest, HttpReply>> extensions,
        Set<String> guarded,
        Map<String, Command> commands,
        Supplier<Optional<AddressFeed.Endpoint>> direct,
        Optional<Consumer<AuditEntry>> audit,
        boolean openAccount,
        boolean servesRawQueries) {

    /**
     * Something to be done that is no part of the protocol.
     *
     * @param isForOwner whether it takes a key of the account with which anything may be done; else it sees for itself
     *     who asks
     * @param isNoted which requests the audit log tells of, where many together do one thing
     */
    public record Command(
            boolean isForOwner,
            Predicate<HttpRequest> isNoted,
            Function<HttpRequest, CompletionStage<HttpReply>> work) {

        public Command(boolean isForOwner, Function<HttpRequest, CompletionStage<HttpReply>> work) {
            this(isForOwner, _ -> isForOwner, work);
        }
    }

    public GatewayConfig {
        extensions = Map.copyOf(extensions);
        guarded = Set.copyOf(guarded);
        commands = Map.copyOf(commands);
    }

    public static GatewayConfig of(AccountDescription account, AccountKeys keys, String version) {
        return new GatewayConfig(
                () -> account,
                () -> keys,
                Duration.ofSeconds(Limits.MASTER_TOKEN_SKEW_SECONDS_MAX),
                ServedNames.LOOPBACK,
                Advertised.AS_USED,
                CrossOrigin.LOCAL_PAGES,
                version,
                Map.of(),
                Set.of(),
                Map.of(),
                Optional::empty,
                Optional.empty(),
                false,
                false);
    }

    public GatewayConfig withExtensions(Map<String, Function<HttpRequest, HttpReply>> more) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                servedNames,
                advertised,
                crossOrigin,
                version,
                more,
                guarded,
                commands,
                direct,
                audit,
                openAccount,
                servesRawQueries);
    }

    public GatewayConfig withGuarded(Set<String> paths) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                servedNames,
                advertised,
                crossOrigin,
                version,
                extensions,
                paths,
                commands,
                direct,
                audit,
                openAccount,
                servesRawQueries);
    }

    public GatewayConfig withCommands(Map<String, Command> more) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                servedNames,
                advertised,
                crossOrigin,
                version,
                extensions,
                guarded,
                more,
                direct,
                audit,
                openAccount,
                servesRawQueries);
    }

    /** Regions come and go. */
    public GatewayConfig withAccount(Supplier<AccountDescription> live) {
        return new GatewayConfig(
                live,
                keys,
                clockSkewMax,
                servedNames,
                advertised,
                crossOrigin,
                version,
                extensions,
                guarded,
                commands,
                direct,
                audit,
                openAccount,
                servesRawQueries);
    }

    public GatewayConfig withServedNames(ServedNames names) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                names,
                advertised,
                crossOrigin,
                version,
                extensions,
                guarded,
                commands,
                direct,
                audit,
                openAccount,
                servesRawQueries);
    }

    /** Keys that may be replaced while the server runs. */
    public GatewayConfig withKeys(Supplier<AccountKeys> live) {
        return new GatewayConfig(
                account,
                live,
                clockSkewMax,
                servedNames,
                advertised,
                crossOrigin,
                version,
                extensions,
                guarded,
                commands,
                direct,
                audit,
                openAccount,
                servesRawQueries);
    }

    public GatewayConfig withOpenAccount(boolean open) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                servedNames,
                advertised,
                crossOrigin,
                version,
                extensions,
                guarded,
                commands,
                direct,
                audit,
                open,
                servesRawQueries);
    }

    public GatewayConfig withAudit(Consumer<AuditEntry> log) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                servedNames,
                advertised,
                crossOrigin,
                version,
                extensions,
                guarded,
                commands,
                direct,
                Optional.of(log),
                openAccount,
                servesRawQueries);
    }

    public GatewayConfig withAdvertised(Advertised address) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                servedNames,
                address,
                crossOrigin,
                version,
                extensions,
                guarded,
                commands,
                direct,
                audit,
                openAccount,
                servesRawQueries);
    }

    public GatewayConfig withCrossOrigin(CrossOrigin pages) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                servedNames,
                advertised,
                pages,
                version,
                extensions,
                guarded,
                commands,
                direct,
                audit,
                openAccount,
                servesRawQueries);
    }

    public GatewayConfig withDirect(Supplier<Optional<AddressFeed.Endpoint>> endpoint) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                servedNames,
                advertised,
                crossOrigin,
                version,
                extensions,
                guarded,
                commands,
                endpoint,
                audit,
                openAccount,
                servesRawQueries);
    }

    public GatewayConfig withRawQueriesServed(boolean served) {
        return new GatewayConfig(
                account,
                keys,
                clockSkewMax,
                servedNames,
                advertised,
                crossOrigin,
                version,
                extensions,
                guarded,
                commands,
                direct,
                audit,
                openAccount,
                served);
    }

    public GatewayConfig withClockSkewMax(Duration skew) {
        return new GatewayConfig(
                account,
                keys,
                skew,
                servedNames,
                advertised,
                crossOrigin,
                version,
                extensions,
                guarded,
                commands,
                direct,
                audit,
                openAccount,
                servesRawQueries);
    }
}
