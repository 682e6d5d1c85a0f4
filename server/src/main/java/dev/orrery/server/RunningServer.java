package dev.orrery.server;

import dev.orrery.engine.LocalDatabase;
import dev.orrery.engine.Surroundings;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.explorer.ExplorerFiles;
import dev.orrery.gateway.Gateway;
import dev.orrery.gateway.GatewayConfig;
import dev.orrery.gateway.auth.AccountKeys;
import dev.orrery.gateway.direct.AddressFeed;
import dev.orrery.gateway.direct.DirectServer;
import dev.orrery.gateway.http.HttpLimits;
import dev.orrery.gateway.http.HttpReply;
import dev.orrery.gateway.http.HttpRequest;
import dev.orrery.gateway.http.HttpServer;
import dev.orrery.gateway.http.HttpServerConfig;
import dev.orrery.gateway.page.PageFile;
import dev.orrery.gateway.page.PageHandler;
import dev.orrery.gateway.reply.AccountDescription;
import dev.orrery.gateway.reply.Advertised;
import dev.orrery.gateway.reply.CrossOrigin;
import dev.orrery.gateway.tls.ServerCertificate;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.memory.MemoryBudget;
import dev.orrery.script.GraalScripts;
import dev.orrery.store.Store;
import dev.orrery.store.memory.MemoryStore;
import dev.orrery.store.rocksdb.RocksDbSettings;
import dev.orrery.store.rocksdb.RocksDbStore;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server with everything it is made of: the one place where clocks, threads and stores come from. */
final class RunningServer implements AutoCloseable {
    static final String ADVICE_PATH = "/_orrery/advice";
    static final String BACKUP_PATH = "/_orrery/backup";
    static final String READY_PATH = "/_orrery/ready";
    private static final String HEALTH_PATH = "/_orrery/health";
    static final String RANGES_PATH = "/_orrery/ranges";
    static final String EXPLORER_PATH = "/_explorer";

    private static final Logger LOG = LoggerFactory.getLogger(RunningServer.class);

    private static final int ITEM_EIGHTHS_OF_HEAP = 3;
    private static final long BACKUP_LOOK_MILLIS = 30_000;

    /** The first script need not wait for its engine, nor does a start; who has little memory gets it when it is used. */
    private static final long SCRIPTS_AFTER_MILLIS = 2_000;

    private static final long SCRIPTS_HEAP_MIN = 512L << 20;
    private static final long DISK_RESERVE_BYTES = 1L << 30;
    private static final int DISK_RESERVE_SHARE = 20;

    private static final Path LINUX_MACHINE_NAME = Path.of("/proc/sys/kernel/hostname");

    private final Settings settings;
    private final LiveKeys keys;
    private final Optional<AuditLog> audit;
    private final Threads threads;
    private final Store store;
    private final Backups backups;
    private final StoreWatch watch;
    private final GraalScripts scripts;
    private final LocalDatabase database;
    private final HttpServer http;
    private final Optional<DirectServer> direct;
    private final Optional<HttpServer> probes;
    private final Metrics metrics;
    private final Optional<RunningRegion> region;
    private final AtomicBoolean closing = new AtomicBoolean();
    private final CountDownLatch closed = new CountDownLatch(1);

    private RunningServer(Settings settings) {
        this.settings = settings;
        var clock = Clock.systemUTC();
        var random = new SecureRandom();
        keys = new LiveKeys(settings);
        audit = settings.auditLog().map(path -> AuditLog.open(path, clock));
        threads = new Threads();
        settings.data().ifPresent(PrivateFolder::prepare);
        // The certificate takes a while to make, and so does opening the store.
        var certificate =
                new LiveCertificate(CompletableFuture.supplyAsync(() -> certificate(clock, random), threads.workers()));
        store = openStore();
        backups = new Backups(
                store instanceof RocksDbStore kept ? Optional.of(kept) : Optional.empty(), settings.data(), clock);
        threads.every(BACKUP_LOOK_MILLIS, backups::look);
        watch = new StoreWatch(store);
        threads.every(StoreWatch.LOOK_MILLIS, watch::look);
        threads.every(HeapTrim.LOOK_MILLIS, new HeapTrim(HeapTrim.Heap.ofProcess())::look);
        var memory = MemoryBudget.ofHeap(Runtime.getRuntime().maxMemory() - itemBytesInHeap());
        scripts = new GraalScripts(threads.timer(), threads.workers(), threads.endings(), System::nanoTime);
        database = LocalDatabase.open(new Surroundings(
                store,
                clock,
                System::nanoTime,
                random,
                threads.lanes(),
                threads.workers(),
                threads.timer(),
                scripts,
                threads.scripts(),
                keys::tokenSecrets,
                settings.defaultConsistency(),
                settings.changeRetention(),
                settings.metering(),
                memory,
                settings.logicalPartitionBytesMax()));
        region = settings.regions()
                .map(plan -> new RunningRegion(
                        plan,
                        settings.data().orElseThrow(),
                        database,
                        keys,
                        settings.defaultConsistency(),
                        threads,
                        clock,
                        random));
        settings.file().ifPresent(this::provision);
        metrics = new Metrics(
                database, store, () -> region.map(RunningRegion::status), this::connections, memory, clock.instant());
        region.ifPresent(some -> metrics.show(some.traffic()));
        region.flatMap(RunningRegion::writing).ifPresent(metrics::show);
        var config = gatewayConfig(certificate);
        var gateway = new Gateway(
                config,
                database,
                new Gateway.Surroundings(
                        threads.workers(),
                        threads.reports(),
                        clock,
                        threads::after,
                        System::nanoTime,
                        random,
                        metrics,
                        memory));
        http = HttpServer.start(
                HttpServerConfig.loopback(clock, System::nanoTime)
                        .withAddress(settings.host(), settings.port())
                        .withTls(certificate::context)
                        .withMemory(memory),
                new PageHandler(EXPLORER_PATH, RunningServer::explorerFile, threads.workers(), gateway));
        certificate.await();
        direct = startDirect(new DirectServer.Setup(
                gateway,
                database,
                () -> certificate.await().sslContext(),
                HttpLimits.defaults(),
                () -> region.map(RunningRegion::otherReadRegions).orElse(0),
                memory));
        keys.follow(threads.timer());
        probes = settings.emulation()
                .healthPort()
                .map(port -> HttpServer.start(
                        HttpServerConfig.loopback(clock, System::nanoTime)
                                .withAddress(settings.host(), port)
                                .withThreadName("probe"),
                        new Probes(watch::health, watch::ready, threads.reports())));
        settings.door().certificateFiles().ifPresent(files -> certificate.follow(files, threads.timer()));
        if (Runtime.getRuntime().maxMemory() >= SCRIPTS_HEAP_MIN) {
            threads.after(SCRIPTS_AFTER_MILLIS, scripts::prepare);
        }
    }

    /** What the configuration file describes is made where writes are taken, and replicated like everything else. */
    private void provision(ConfigurationFile file) {
        var provisioning = new Provisioning(database, file);
        region.ifPresentOrElse(some -> some.whenWriter(provisioning::run), provisioning::run);
    }

    private Optional<DirectServer> startDirect(DirectServer.Setup setup) {
        return switch (settings.directPort()) {
            case DirectPort.Off _ -> Optional.empty();
            case DirectPort.Fixed(int port) -> Optional.of(DirectServer.start(setup, settings.host(), port));
            case DirectPort.NextFree _ ->
                Optional.of(
                        settings.port() == 0
                                ? DirectServer.start(setup, settings.host(), 0)
                                : DirectServer.startAfter(setup, settings.host(), http.port()));
        };
    }

    private static Optional<PageFile> explorerFile(String path) {
        return ExplorerFiles.find(path).map(file -> new PageFile(file.contentType(), file.content(), file.lasting()));
    }

    /** Empty also while the server starts. */
    private Optional<AddressFeed.Endpoint> directEndpoint() {
        return direct == null
                ? Optional.empty()
                : direct.map(server -> new AddressFeed.Endpoint(Optional.empty(), server.port()));
    }

    /** Ready when this returns: the first write will work. */
    static RunningServer start(Settings settings) {
        return new RunningServer(settings);
    }

    private Store openStore() {
        return settings.data()
                .<Store>map(directory -> new RocksDbStore(
                        directory,
                        RocksDbSettings.DEFAULT
                                .withDurability(settings.durability())
                                .withSeparateKeySpaces(KeySpace.scattered())
                                .withBlockCacheBytes(settings.cacheBytes())
                                .withDiskReserveBytes(
                                        settings.diskReserveBytes().orElseGet(() -> diskReserveBytes(directory))),
                        threads.timer()))
                .orElseGet(() -> new MemoryStore(itemBytesInHeap()));
    }

    /** How much of the heap items may take. */
    private long itemBytesInHeap() {
        return settings.data().isPresent() ? 0 : Runtime.getRuntime().maxMemory() / 8 * ITEM_EIGHTHS_OF_HEAP;
    }

    /** Enough for what is merged behind the scenes, and not too much of a small disk. */
    private static long diskReserveBytes(Path directory) {
        try {
            Files.createDirectories(directory);
            long diskBytes = Files.getFileStore(directory).getTotalSpace();
            return Math.min(DISK_RESERVE_BYTES, diskBytes / DISK_RESERVE_SHARE);
        } catch (IOException unusable) {
            return DISK_RESERVE_BYTES; // The store says in words what is wrong with it.
        }
    }

    private ServerCertificate certificate(Clock clock, SecureRandom random) {
        if (settings.door().certificateFiles().isPresent()) {
            return settings.door().certificateFiles().get().load();
        }
        var names = settings.certificateNames();
        var machine = machineName();
        return settings.data()
                .map(directory ->
                        ServerCertificate.loadOrCreate(directory.resolve("tls"), names, machine, clock, random))
                .orElseGet(() -> ServerCertificate.create(names, machine, clock, random));
    }

    /** Asking the JDK may wait for a name server, which Linux can do without. */
    private static Optional<String> machineName() {
        try {
            return Files.isReadable(LINUX_MACHINE_NAME)
                    ? Optional.of(Files.readString(LINUX_MACHINE_NAME).strip())
                    : Optional.of(InetAddress.getLocalHost().getHostName());
        } catch (IOException unknown) {
            return Optional.empty();
        }
    }

    private GatewayConfig gatewayConfig(LiveCertificate certificate) {
        var account = AccountDescription.of("orrery", "Local", settings.defaultConsistency())
                .withStaleness(settings.staleness());
        var config = GatewayConfig.of(account, keys.get(), Main.Version.text())
                .withExtensions(extensions(certificate))
                .withKeys(keys)
                .withOpenAccount(settings.emulation().wanted())
                .withServedNames(settings.door().servedNames())
                .withCrossOrigin(new CrossOrigin(settings.door().allowedOrigins()))
                // Queries and partition keys of clients are in the advice; which ranges are busy tells of keys, too.
                .withGuarded(Set.of(ADVICE_PATH, RANGES_PATH))
                .withRawQueriesServed(settings.servesRawQueries())
                .withDirect(this::directEndpoint);
        var commands = new HashMap<String, GatewayConfig.Command>();
        commands.put(
                BACKUP_PATH,
                new GatewayConfig.Command(
                        true, Backups::isBegin, request -> CompletableFuture.completedStage(backups.answer(request))));
        region.ifPresent(some -> commands.putAll(some.commands()));
        var commanded = config.withCommands(commands);
        var placed = region.map(some -> commanded.withAccount(some::account)).orElse(commanded);
        var audited = audit.map(placed::withAudit).orElse(placed);
        return settings.door()
                .advertised()
                .map(url -> audited.withAdvertised(new Advertised(Optional.of(url), false)))
                .orElse(audited);
    }

    private Map<String, Function<HttpRequest, HttpReply>> extensions(LiveCertificate certificate) {
        var extensions = new HashMap<String, Function<HttpRequest, HttpReply>>(Map.of(
                HEALTH_PATH,
                _ -> watch.health(),
                READY_PATH,
                _ -> watch.ready(),
                "/_orrery/metrics",
                _ -> text("text/plain; version=0.0.4", metrics.text()),
                "/_orrery/status",
                request -> text("application/json", CompactJson.text(status(Narrowing.of(request))) + "\n"),
                ADVICE_PATH,
                _ -> text("application/json", CompactJson.text(AdviceReport.json(database.advice())) + "\n"),
                RANGES_PATH,
                request -> text(
                        "application/json",
                        CompactJson.text(RangeReport.json(database.ranges(), Narrowing.of(request))) + "\n"),
                "/_orrery/functions",
                _ -> text("application/json", CompactJson.text(FunctionReport.json()) + "\n"),
                "/_orrery/cert.pem",
                _ -> text("application/x-pem-file", certificate.await().pem()),
                // Where tools for the emulators look for it.
                "/_explorer/emulator.pem",
                _ -> text("application/x-pem-file", certificate.await().pem())));
        region.ifPresent(some -> extensions.put(RunningRegion.REGIONS_PATH, _ -> some.report()));
        return extensions;
    }

    private JsonValue.Obj status(Narrowing narrowing) {
        var report = JsonValue.Obj.builder();
        directEndpoint().ifPresent(endpoint -> report.put("directPort", endpoint.port()));
        metrics.report().json(narrowing).members().forEach(report::put);
        return report.build();
    }

    private int connections() {
        return (http == null ? 0 : http.connectionCount())
                + (direct == null
                        ? 0
                        : direct.map(DirectServer::connectionCount).orElse(0));
    }

    int port() {
        return http.port();
    }

    void printReady(PrintStream out) {
        if (settings.isOpenToAll(keys.get())) {
            LOG.warn("Whoever reaches port {} can read and change everything: the key is the well-known one", port());
        }
        var local = settings.localName() + ":" + port();
        var endpoint = settings.toldEndpoint().orElse("https://" + local + "/");
        var key = keys.get().primary().equals(AccountKeys.WELL_KNOWN) ? AccountKeys.WELL_KNOWN : "<your key>";
        out.println("Orrery " + Main.Version.text() + ", a document database for the Azure Cosmos DB SDKs");
        out.println("  data        "
                + settings.data()
                        .map(directory -> directory.toAbsolutePath().normalize() + " (durability "
                                + settings.durability().name().toLowerCase(Locale.ROOT) + ")")
                        .orElse("in memory only"));
        out.println("  endpoint    " + endpoint);
        direct.ifPresent(server -> out.println("  direct mode port " + server.port()));
        out.println("  key         " + key);
        out.println("  connection  AccountEndpoint=" + endpoint + ";AccountKey=" + key + ";");
        out.println("  explorer    http://" + local + EXPLORER_PATH);
        probes.ifPresent(
                server -> out.println("  probes      http://" + settings.localName() + ":" + server.port() + "/ready"));
        out.println("Orrery is ready: http://" + local + " and https://" + local);
        if (settings.emulation().wanted()) {
            out.println("Now listening on: https://" + settings.host() + ":" + port());
            // As the older emulator ends its lines; some tools wait for exactly this.
            out.print("Started\r\n");
        }
        out.flush();
    }

    void awaitClosed() throws InterruptedException {
        closed.await();
    }

    /** Stops taking requests, lets those under way finish, and leaves the store in good order. */
    @Override
    public void close() {
        if (!closing.compareAndSet(false, true)) {
            return;
        }
        try {
            region.ifPresent(RunningRegion::close);
            // First, because its clients ask over http where to go when they are refused.
            direct.ifPresent(DirectServer::close);
            http.close();
            probes.ifPresent(HttpServer::close);
            database.stop();
            backups.close();
            if (threads.end()) {
                scripts.close();
                database.close();
                store.close();
                LOG.info("Stopped");
            } else {
                // What is still running would crash on a closed store. All that was acknowledged is durable anyway.
                LOG.warn("Stopped while work was still going on");
            }
            metrics.close();
            audit.ifPresent(AuditLog::close);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            closed.countDown();
        }
    }

    private static HttpReply text(String contentType, String body) {
        return HttpReply.status(200)
                .header("content-type", contentType)
                .body(body.getBytes(StandardCharsets.UTF_8))
                .build();
    }
}
