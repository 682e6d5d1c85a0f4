package dev.orrery.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.engine.LocalDatabase;
import dev.orrery.engine.key.WriterSlot;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.engine.partition.Writers.Regions;
import dev.orrery.gateway.GatewayConfig.Command;
import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.link.LinkClient;
import dev.orrery.gateway.link.LinkKey;
import dev.orrery.gateway.link.LinkServer;
import dev.orrery.gateway.link.LinkTraffic;
import dev.orrery.gateway.reply.AccountDescription;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.region.Charter;
import dev.orrery.region.Faults;
import dev.orrery.region.Link;
import dev.orrery.region.Member;
import dev.orrery.region.RegionNode;
import dev.orrery.region.RegionSettings;
import dev.orrery.region.RegionStatus;
import dev.orrery.region.Surroundings;
import dev.orrery.region.Surroundings.Writing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** A server as one region of its account: how the others reach it, and how people see and steer it. */
final class RunningRegion implements AutoCloseable {
    static final String REGIONS_PATH = "/_orrery/regions";
    static final String FAILOVER_PATH = "/_orrery/failover";
    static final String ADD_PATH = "/_orrery/regions/add";
    static final String REMOVE_PATH = "/_orrery/regions/remove";
    static final String FAULT_PATH = "/_orrery/fault";

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LOOK_MILLIS = 20;

    private final RegionPlan plan;
    private final RegionNode node;
    private final AtomicBoolean joined = new AtomicBoolean();
    private Optional<Writing> writing = Optional.empty();
    private final Faults faults;
    private final LinkServer links;
    private final LinkTraffic traffic = new LinkTraffic();
    private final ConsistencyLevel level;
    private final Threads threads;

    RunningRegion(
            RegionPlan plan,
            Path data,
            LocalDatabase database,
            Supplier<AccountKeys> keys,
            ConsistencyLevel level,
            Threads threads,
            InstantSource clock,
            RandomGenerator random) {
        this.plan = plan;
        this.level = level;
        this.threads = threads;
        faults = new Faults(threads.timer());
        var client =
                new LinkClient(() -> LinkKey.of(keys.get().primary()), clock, plan.trust(), traffic, threads.workers());
        Link link = (to, question) -> client.ask(to.endpoint(), question);
        var seat = AccountCouncil.open(plan, data, keys, link, faults, random);
        if (seat.council().charter().isMultiWrite()) {
            writing = Optional.of(writing(database, seat.council().charter()));
        }
        joined.set(seat.joined().isEmpty());
        database.replica().salvageBy(new LostContainers(data.resolve("lost"), clock));
        node = new RegionNode(
                RegionSettings.of(
                        plan.account(),
                        plan.me(),
                        level,
                        plan.staleness().versions(),
                        plan.staleness().time()),
                seat.council(),
                database.replica(),
                new Surroundings(
                        link,
                        faults,
                        clock,
                        System::nanoTime,
                        random,
                        threads.timer(),
                        threads.workers(),
                        work -> Thread.ofPlatform().name("region").daemon().start(work),
                        writing,
                        PastFile.in(data),
                        seat.joined().map(marked -> () -> {
                            marked.run();
                            joined.set(true);
                        })));
        links = new LinkServer(() -> LinkKey.all(keys.get()), clock, traffic, node::answer);
        database.agreeBy(node.agreement());
    }

    /** Does something as soon as this region takes the writes, if it is the one that is to. The others may have to come first. */
    void whenWriter(Runnable work) {
        threads.after(LOOK_MILLIS, () -> {
            if (node.status().takesWrites()) {
                threads.workers().execute(work);
            } else if (node.charter().writeRegion().equals(plan.me())) {
                whenWriter(work);
            }
        });
    }

    private Writing writing(LocalDatabase database, Charter charter) {
        if (level.compareTo(ConsistencyLevel.SESSION) < 0) {
            throw new UserError("Where several regions write, consistency is Session at most: leave out"
                    + " --default-consistency or --multi-write.");
        }
        int slot = WriterSlot.of(charter.find(plan.me()).orElseThrow().number());
        var fronts = database.writeInAllRegions(slot, joined::get, () -> regions(node.charter()));
        return new Writing(fronts, database.hub());
    }

    private static Regions regions(Charter charter) {
        return new Regions(
                charter.numbers(),
                charter.members().stream()
                        .collect(Collectors.toMap(member -> WriterSlot.of(member.number()), Member::name)));
    }

    AccountDescription account() {
        var charter = node.charter();
        var readable = charter.members().stream()
                .filter(member -> !member.isWitness())
                .sorted((one, other) -> Boolean.compare(isWriter(charter, other), isWriter(charter, one)))
                .map(RunningRegion::described)
                .toList();
        var writable = charter.isMultiWrite() ? readable : List.of(described(charter.writer()));
        return new AccountDescription(plan.account(), writable, readable, level, plan.staleness());
    }

    /** How many regions serve reads besides the one that writes; asked for with every reply. */
    int otherReadRegions() {
        int others = -1;
        for (var member : node.charter().members()) {
            others += member.isWitness() ? 0 : 1;
        }
        return Math.max(others, 0);
    }

    private static boolean isWriter(Charter charter, Member member) {
        return member.name().equals(charter.writeRegion());
    }

    private static AccountDescription.Region described(Member member) {
        return RegionOptions.isBeside(member)
                ? AccountDescription.Region.beside(member.name(), RegionOptions.port(member))
                : AccountDescription.Region.at(member.name(), member.endpoint());
    }

    LinkTraffic traffic() {
        return traffic;
    }

    RegionStatus status() {
        return node.status();
    }

    /** What it does as one of several regions that write. */
    Optional<Writing> writing() {
        return writing;
    }

    // ---- for people ----

    Map<String, Command> commands() {
        return Map.of(
                LinkServer.PATH,
                new Command(false, links::serve),
                FAILOVER_PATH,
                new Command(true, this::failOver),
                ADD_PATH,
                new Command(true, this::add),
                REMOVE_PATH,
                new Command(true, this::remove),
                FAULT_PATH,
                new Command(true, this::fault));
    }

    private CompletionStage<HttpReply> add(HttpRequest request) {
        var order = body(request);
        var name = order.path("name").asText("").strip();
        if (name.isEmpty() || name.contains("=") || name.contains(",")) {
            throw new FailureException(new Failure.BadRequest("A region has a name, without '=' and ','."));
        }
        Member member;
        try {
            member = RegionOptions.member(name + "=" + order.path("address").asText(""));
        } catch (UserError wrong) {
            throw new FailureException(new Failure.BadRequest(wrong.getMessage()));
        }
        return node.add(name, member.endpoint(), member.council(), member.isWitness())
                .thenApply(RunningRegion::members);
    }

    private CompletionStage<HttpReply> remove(HttpRequest request) {
        var order = body(request);
        boolean isLost = order.path("force").asBoolean(false);
        return node.remove(order.path("name").asText(""), isLost).thenApply(RunningRegion::members);
    }

    private static HttpReply members(Charter charter) {
        var json = JSON.createObjectNode();
        var regions = json.putArray("regions");
        charter.members()
                .forEach(member ->
                        regions.addObject().put("name", member.name()).put("address", RegionOptions.address(member)));
        return reply(json.put("voted", charter.isVoted()).put("multipleWriteRegions", charter.isMultiWrite()));
    }

    private CompletionStage<HttpReply> failOver(HttpRequest request) {
        var order = body(request);
        var to = order.path("to").asText("");
        var change =
                order.path("force").asBoolean(false) && to.equals(plan.me()) ? node.forceFailOver() : node.failOver(to);
        return change.thenApply(charter -> reply(JSON.createObjectNode()
                .put("writeRegion", charter.writeRegion())
                .put("epoch", charter.epoch())));
    }

    private CompletionStage<HttpReply> fault(HttpRequest request) {
        if (!plan.allowsFaults()) {
            throw new FailureException(new Failure.Forbidden(
                    "This server makes no faults: start it with --allow-faults to rehearse them."));
        }
        var order = body(request);
        var to = order.path("to").asText("");
        if (node.charter().find(to).isEmpty() || to.equals(plan.me())) {
            throw new FailureException(new Failure.BadRequest("'" + to + "' is no other region of this account."));
        }
        switch (order.path("kind").asText("")) {
            case "cut" -> faults.cut(to);
            case "heal", "resume" -> faults.heal(to);
            case "pause" -> faults.pause(to);
            case "delay" -> faults.delay(to, Math.clamp(order.path("millis").asInt(0), 0, 60_000));
            default ->
                throw new FailureException(new Failure.BadRequest("A fault is cut, heal, delay, pause or resume."));
        }
        return CompletableFuture.completedStage(report());
    }

    private static JsonNode body(HttpRequest request) {
        try {
            return JSON.readTree(request.body());
        } catch (IOException malformed) {
            throw new FailureException(new Failure.BadRequest("The body is no JSON."));
        }
    }

    HttpReply report() {
        var json = json(status()).put("allowsFaults", plan.allowsFaults());
        writing.ifPresent(mine -> WritingReport.add(json, mine));
        json.putObject("linkBytes").put("sent", traffic.sentBytes()).put("received", traffic.receivedBytes());
        return reply(json);
    }

    static ObjectNode json(RegionStatus status) {
        var json = JSON.createObjectNode()
                .put("region", status.me())
                .put("role", status.takesWrites() ? "writes" : "follows")
                .put("epoch", status.epoch())
                .put("writeRegion", status.writeRegion())
                .put("lostChanges", status.lostChanges());
        status.lastFailover().ifPresent(last -> put(json, last));
        var regions = json.putArray("regions");
        for (var region : status.regions()) {
            var one = regions.addObject()
                    .put("name", region.name())
                    .put("endpoint", region.endpoint())
                    .put("writes", region.isWriter())
                    .put("witness", region.isWitness());
            region.lagLsns().ifPresent(lag -> one.put("lagLsns", lag));
            region.lagSeconds().ifPresent(lag -> one.put("lagSeconds", lag));
            region.silentSeconds().ifPresent(silent -> one.put("silentSeconds", silent));
        }
        var faults = json.putObject("faults");
        status.faults().forEach(faults::put);
        return json;
    }

    static void put(ObjectNode json, RegionStatus.Failover last) {
        var one = json.putObject("lastFailover").put("epoch", last.epoch()).put("to", last.to());
        last.atSecond().ifPresent(at -> one.put("at", at));
    }

    private static HttpReply reply(ObjectNode json) {
        return HttpReply.status(200)
                .header("content-type", "application/json")
                .body((json + "\n").getBytes(StandardCharsets.UTF_8))
                .build();
    }

    @Override
    public void close() {
        node.close();
    }
}
