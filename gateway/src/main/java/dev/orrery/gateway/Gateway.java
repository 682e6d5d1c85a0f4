package dev.orrery.gateway;

import dev.orrery.engine.Database;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.operation.Address;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.Principal;
import dev.orrery.engine.operation.Operation;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.Facts;
import dev.orrery.gateway.auth.Authenticator;
import dev.orrery.gateway.auth.HttpDate;
import dev.orrery.gateway.direct.AddressFeed;
import dev.orrery.gateway.direct.DirectService;
import dev.orrery.gateway.http.HttpHandler;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.reply.AccountRoot;
import dev.orrery.gateway.reply.Exchange;
import dev.orrery.gateway.reply.ReplyRenderer;
import dev.orrery.gateway.request.CallerReader;
import dev.orrery.gateway.request.OperationReader;
import dev.orrery.gateway.request.StreamReader;
import dev.orrery.gateway.request.TypedHeaders;
import dev.orrery.gateway.route.Route;
import dev.orrery.gateway.route.Route.Target;
import dev.orrery.gateway.stream.ChangeStreams;
import dev.orrery.gateway.stream.StreamWanted;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.WireStatus;
import dev.orrery.model.memory.MemoryBudget;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way of a request: from what was sent, through who sent it and what it asks for, to the database and back. */
public final class Gateway implements HttpHandler, DirectService {
    private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);

    private static final Authenticator.Proof ANYBODY = new Authenticator.Proof(new Principal.Reader(), "nobody");

    private final GatewayConfig config;
    private final Database database;
    private final Surroundings surroundings;
    private final ActivityIds activityIds;
    private final Authenticator authenticator;
    private final ReplyRenderer renderer;
    private final ChangeStreams streams;

    /**
     * What the gateway needs of the world around it.
     *
     * @param workers runs what would keep an event loop waiting
     * @param reports runs what tells how the server is doing, which is asked when all workers are busy
     * @param memory what replies are counted against until they are sent
     */
    public record Surroundings(
            Executor workers,
            Executor reports,
            InstantSource clock,
            ChangeStreams.Timer timer,
            LongSupplier nanoTime,
            RandomGenerator random,
            GatewayObserver observer,
            MemoryBudget memory) {}

    public Gateway(GatewayConfig config, Database database, Surroundings surroundings) {
        this.config = config;
        this.database = database;
        this.surroundings = surroundings;
        this.activityIds = new ActivityIds(surroundings.random());
        this.authenticator = new Authenticator(config.keys(), config.clockSkewMax(), surroundings.clock());
        this.renderer = new ReplyRenderer(
                new AccountRoot(config.account(), config.advertised()),
                config.crossOrigin(),
                config.version(),
                HttpDate.format(surroundings.clock().instant()));
        this.streams = new ChangeStreams(
                database, surroundings.workers(), surroundings.timer(), surroundings.nanoTime(), surroundings.memory());
    }

    @Override
    public void handle(HttpRequest request, Consumer<HttpReply> reply) {
        handle(request, () -> {}, reply);
    }

    @Override
    public void handle(HttpRequest request, Runnable proved, Consumer<HttpReply> reply) {
        var refusal = stranger(request);
        if (refusal.isPresent()) {
            refuse(request, refusal.get(), reply);
            return;
        }
        var extension = config.extensions().get(request.rawPath());
        if (request.method().equals("OPTIONS")) {
            reply.accept(config.crossOrigin().preflight(request));
        } else if (extension != null && request.method().equals("GET")) {
            surroundings.reports().execute(() -> extend(extension, begin(request), reply));
        } else if (request.method().equals("POST") && config.commands().containsKey(request.rawPath())) {
            var command = config.commands().get(request.rawPath());
            surroundings.workers().execute(() -> command(command, begin(request), reply));
        } else {
            serve(begin(request), proved, reply);
        }
    }

    private void command(GatewayConfig.Command command, Exchange exchange, Consumer<HttpReply> reply) {
        try {
            var commanded = command.isForOwner() ? exchange.by(owner(exchange.request())) : exchange;
            begun(command, exchange.request()).whenComplete((made, problem) -> {
                var refused = Optional.ofNullable(problem).map(failed -> refusal(commanded, failed));
                if (command.isNoted().test(commanded.request())) {
                    audit(AuditEntry.ofCommand(
                            commanded, refused.map(Gateway::status).orElseGet(() -> made.status())));
                }
                refused.ifPresentOrElse(
                        outcome -> finish(commanded, outcome, reply), () -> send(commanded, made, reply));
            });
        } catch (Throwable problem) { // even an Error: without a reply the client would wait for ever
            finish(exchange, refusal(exchange, problem), reply);
        }
    }

    /** What fails at once is told, and noted, like what fails later. */
    private static CompletionStage<HttpReply> begun(GatewayConfig.Command command, HttpRequest request) {
        try {
            return command.work().apply(request);
        } catch (Throwable problem) {
            return CompletableFuture.failedStage(problem);
        }
    }

    /** What proves that this is from somebody who may do anything. */
    private String owner(HttpRequest request) {
        var proof = authenticator.authenticate(request, Route.ACCOUNT);
        if (!(proof.principal() instanceof Principal.Owner)) {
            throw new FailureException(
                    new Failure.Forbidden("This changes the account, and so needs a key of it that may write."));
        }
        return proof.by();
    }

    private Principal principal(HttpRequest request) {
        return authenticator.authenticate(request, Route.ACCOUNT).principal();
    }

    /** Why whoever sent this is not let in, whatever the request is. */
    private Optional<Failure> stranger(HttpRequest request) {
        var misdirected =
                config.keys().get().areWellKnown() ? config.servedNames().refusal(request) : Optional.<Failure>empty();
        return misdirected.or(() -> config.crossOrigin().refusal(request));
    }

    private Exchange begin(HttpRequest request) {
        var activityId = activityIds.idFor(request.header("x-ms-activity-id").orElse(""));
        return Exchange.begun(request, activityId, surroundings.nanoTime().getAsLong());
    }

    private void serve(Exchange exchange, Runnable proved, Consumer<HttpReply> reply) {
        try {
            var request = exchange.request();
            var route = Route.parse(request.rawPath(), request.rawQuery());
            if (route.target() instanceof Target.Addresses) {
                reply.accept(addresses(exchange));
                return;
            }
            var proof = isOpen(request) ? ANYBODY : authenticator.authenticate(request, route);
            if (!(proof.principal() instanceof Principal.TokenHolder)) {
                proved.run();
            }
            var headers = new TypedHeaders(request);
            var caller = CallerReader.read(proof.principal(), headers);
            if (route.target() instanceof Target.Changes(var container)) {
                var wanted = StreamReader.read(container, request);
                var understood = exchange.asking(wanted.first(), proof.by());
                surroundings.workers().execute(() -> stream(understood, wanted, caller, reply));
                return;
            }
            var operation = OperationReader.read(route, request, headers, config.servesRawQueries());

            var understood = exchange.asking(operation, proof.by());
            if (database.isPrompt(operation)) {
                carryOut(understood, operation, caller, reply);
            } else {
                surroundings.workers().execute(() -> carryOut(understood, operation, caller, reply));
            }
        } catch (RuntimeException | Error problem) { // without a reply the client would wait for ever
            finish(exchange, refusal(exchange, problem), reply);
        }
    }

    /** Probes of test tools ask for the account without a key, and only want to see that it is there. */
    private boolean isOpen(HttpRequest request) {
        return config.openAccount()
                && request.rawPath().equals("/")
                && request.method().equals("GET")
                && request.header("authorization").isEmpty();
    }

    /** Where the copies of ranges are, for clients in Direct mode. */
    private HttpReply addresses(Exchange exchange) {
        var wanted = AddressFeed.read(exchange.request());
        var principal =
                authenticator.authenticate(exchange.request(), wanted.route()).principal();
        return renderer.document(
                exchange,
                wanted.json(
                        database,
                        Caller.of(principal),
                        config.direct().get().orElseThrow(Gateway::noDirectMode),
                        config.advertised().hostName(exchange.request())));
    }

    private static FailureException noDirectMode() {
        return new FailureException(new Failure.BadRequest("This server does not offer Direct mode: it was started with"
                + " --direct-port off. Configure the client for Gateway mode: gatewayMode() in Java,"
                + " ConnectionMode.Gateway in .NET."));
    }

    @Override
    public void refuse(HttpRequest request, Failure failure, Consumer<HttpReply> reply) {
        finish(begin(request), Outcome.refused(failure, Bill.NOTHING, Facts.NONE), reply);
    }

    private void carryOut(Exchange exchange, Operation operation, Caller caller, Consumer<HttpReply> reply) {
        try {
            database.execute(operation, caller)
                    .whenComplete((outcome, problem) ->
                            finish(exchange, problem == null ? outcome : refusal(exchange, problem), reply));
        } catch (Throwable problem) { // even an Error: without a reply the client would wait for ever
            finish(exchange, refusal(exchange, problem), reply);
        }
    }

    private void stream(Exchange exchange, StreamWanted wanted, Caller caller, Consumer<HttpReply> reply) {
        try {
            var stream = streams.open(wanted, caller, failure -> renderer.error(exchange, failure));
            stream.begin().whenComplete((outcome, problem) -> {
                if (problem != null) {
                    stream.close();
                    finish(exchange, refusal(exchange, problem), reply);
                } else if (outcome.answer() instanceof Answer.Refused) {
                    finish(exchange, outcome, reply);
                } else {
                    long nanos = surroundings.nanoTime().getAsLong() - exchange.startNanos();
                    var begun = renderer.stream(exchange, outcome, nanos, stream);
                    reply.accept(begun);
                    report(exchange, begun.status(), outcome, nanos);
                }
            });
        } catch (Throwable problem) { // even an Error: without a reply the client would wait for ever
            finish(exchange, refusal(exchange, problem), reply);
        }
    }

    private void extend(Function<HttpRequest, HttpReply> extension, Exchange exchange, Consumer<HttpReply> reply) {
        HttpReply made;
        try {
            if (config.guarded().contains(exchange.request().rawPath())) {
                demandKey(exchange.request());
            }
            made = extension.apply(exchange.request());
        } catch (Throwable problem) { // even an Error: without a reply the client would wait for ever
            finish(exchange, refusal(exchange, problem), reply);
            return;
        }
        send(exchange, made, reply);
    }

    /** Sends what was made elsewhere, if there is memory for it until the client has taken it. */
    private void send(Exchange exchange, HttpReply made, Consumer<HttpReply> reply) {
        if (hasRoom(exchange, made)) {
            reply.accept(made);
        } else {
            finish(exchange, refusal(exchange, MemoryBudget.shortage()), reply);
        }
    }

    private void demandKey(HttpRequest request) {
        switch (principal(request)) {
            case Principal.Owner _, Principal.Reader _ -> {}
            case Principal.TokenHolder _ ->
                throw new FailureException(
                        new Failure.Forbidden("This tells of the whole account, and so needs a key of it."));
        }
    }

    /** What a client is told of something thrown: refusals as they are, of anything else only that it happened. */
    private static Outcome refusal(Exchange exchange, Throwable problem) {
        var cause = problem instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : problem;
        var failure = switch (cause) {
            case FailureException refused -> refused.failure();
            case RejectedExecutionException _ -> new Failure.Unavailable("The server is shutting down.");
            case OutOfMemoryError ended -> {
                LOG.error("There was no memory for {}, activity {}", exchange.request(), exchange.activityId(), ended);
                yield MemoryBudget.shortage().failure();
            }
            default -> {
                LOG.error("unexpected failure of {}, activity {}", exchange.request(), exchange.activityId(), cause);
                yield new Failure.Internal(
                        "The server failed unexpectedly. Its log has the details, under the activity id below.");
            }
        };
        return Outcome.refused(failure, Bill.NOTHING, Facts.NONE);
    }

    private void finish(Exchange exchange, Outcome outcome, Consumer<HttpReply> reply) {
        long nanos = surroundings.nanoTime().getAsLong() - exchange.startNanos();
        HttpReply rendered;
        var answered = outcome;
        try {
            rendered = renderer.render(exchange, outcome, nanos);
        } catch (RuntimeException | Error bug) {
            rendered = renderer.render(exchange, refusal(exchange, bug), nanos);
        }
        if (!hasRoom(exchange, rendered)) {
            answered = refusal(exchange, MemoryBudget.shortage());
            rendered = renderer.render(exchange, answered, nanos);
        }
        AuditEntry.of(exchange, rendered.status()).ifPresent(this::audit);
        reply.accept(rendered);
        report(exchange, rendered.status(), answered, nanos);
    }

    /** Counts a large reply until it is sent; false if there is no memory for it, and nothing is lost if it is refused. */
    private boolean hasRoom(Exchange exchange, HttpReply reply) {
        long bytes = reply.bodyLength();
        if (bytes <= Limits.MEMORY_REPLY_BYTES_FREE) {
            return true;
        }
        var memory = surroundings.memory();
        boolean refusable = exchange.operation().map(Operation::onlyReads).orElse(true);
        if (!memory.tryTake(bytes)) {
            if (refusable) {
                return false;
            }
            memory.takeAnyway(bytes); // Whoever is told of a shortage would do it again.
        }
        reply.whenGone(() -> memory.giveBack(bytes));
        return true;
    }

    private void audit(AuditEntry entry) {
        config.audit().ifPresent(log -> log.accept(entry));
    }

    private static int status(Outcome refused) {
        return refused.answer() instanceof Answer.Refused(var failure)
                ? WireStatus.of(failure).status()
                : 0;
    }

    private void report(Exchange exchange, int status, Outcome outcome, long nanos) {
        int substatus = outcome.answer() instanceof Answer.Refused(var failure)
                ? WireStatus.of(failure).substatus()
                : 0;
        var name = exchange.operation().map(OperationNames::of).orElse("Other");
        var about = exchange.operation().map(Operation::about).orElse(Address.ACCOUNT);
        surroundings
                .observer()
                .answered(new GatewayObserver.Reply(
                        name, about, status, substatus, throttled(outcome.answer()), outcome.charge(), nanos));
        if (LOG.isDebugEnabled()) {
            LOG.debug(
                    "{} {} -> {}/{}, {} RU, {} µs, activity {}",
                    name,
                    exchange.request(),
                    status,
                    substatus,
                    outcome.charge(),
                    nanos / 1000,
                    exchange.activityId());
        }
    }

    private static int throttled(Answer answer) {
        return switch (answer) {
            case Answer.Refused(Failure.Throttled _) -> 1;
            case Answer.Batch(var results) ->
                results.stream().mapToInt(result -> throttled(result.answer())).sum();
            case Answer.Refused _,
                    Answer.Resource _,
                    Answer.Account _,
                    Answer.Deleted _,
                    Answer.NotModified _,
                    Answer.Feed _,
                    Answer.Plan _,
                    Answer.Executed _,
                    Answer.Progress _ -> 0;
        };
    }
}
