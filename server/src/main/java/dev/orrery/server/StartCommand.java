package dev.orrery.server;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.orrery.engine.feed.Retention;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import dev.orrery.gateway.client.Warmup;
import dev.orrery.gateway.link.LinkClient;
import dev.orrery.gateway.link.LinkKey;
import dev.orrery.gateway.link.LinkTraffic;
import dev.orrery.model.Limits;
import dev.orrery.region.Faults;
import dev.orrery.store.StoreException;
import dev.orrery.store.rocksdb.Durability;
import dev.orrery.store.rocksdb.RocksDbSettings;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Starts a server and stays until it is stopped. */
@Command(
        name = "start",
        description = "Starts the server; Ctrl-C or SIGTERM stops it.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footer = {
            "",
            "What the command line does not say is taken from the configuration file, if one is given.",
            "",
            "Examples:",
            "  orrery start",
            "  orrery start --port 9000 --data /var/lib/orrery",
            "  orrery start --memory                      forgets everything when it stops",
            "  orrery start --config orrery.yaml          with databases, containers and seed data",
            "  orrery start --host 0.0.0.0 --key \"$KEY\"   reachable from other machines",
            "  orrery start --emulator                    for tools made for the official emulators"
        })
final class StartCommand implements Callable<Integer> {
    private static final int DEFAULT_PORT = 8081;
    private static final Set<String> PER_REGION = Set.of("--regions", "--region", "--port", "--data", "--direct-port");

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port for http and https (default: 8081; 0: any free one).")
    private Integer port;

    @Option(
            names = "--direct-port",
            paramLabel = "PORT",
            description = {
                "Port for SDKs in Direct mode, the default of Java and .NET",
                "(default: the next free one after --port; off: none)."
            })
    private String directPort;

    @Option(names = "--host", paramLabel = "HOST", description = "Address to listen on (default: localhost).")
    private String host;

    @Option(names = "--data", paramLabel = "DIR", description = "Where the data is kept (default: ./orrery-data).")
    private Path data;

    @Option(names = "--memory", description = "Keep nothing on disk.")
    private boolean memory;

    @Mixin
    private KeyOptions keyOptions;

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "YAML file with settings, databases, containers, scripts and seed data.")
    private Path config;

    @Option(
            names = "--durability",
            paramLabel = "strict|relaxed",
            description = {
                "strict (default): a write is on disk before it is answered.",
                "relaxed: on disk within 100 ms; a crash of the machine may lose that much."
            })
    private String durability;

    @Option(
            names = "--cache",
            paramLabel = "MB",
            description = {
                "Memory for data read from disk, in megabytes.",
                "Default: half as much as the heap (-Xmx), and at least 256."
            })
    private Integer cache;

    @Option(
            names = "--disk-reserve",
            paramLabel = "MB",
            description = {
                "What is to be left of the disk, in megabytes: writes stop there, reads go on.",
                "Default: 1024, or a twentieth of a smaller disk; 0: nothing."
            })
    private Integer diskReserve;

    @Option(
            names = "--logical-partition-max",
            paramLabel = "MB",
            description = {
                "How much the items with one partition key may take together, in megabytes: writes beyond it get 403"
                        + " with substatus 1014.",
                "Default: 20480. Give less to see how an application takes it."
            })
    private Integer logicalPartitionMax;

    @Option(
            names = "--change-retention",
            paramLabel = "MINUTES",
            description = {
                "For how long the change feed keeps all versions and deletes (default: 10).",
                "A container may say otherwise in its changeFeedPolicy."
            })
    private String changeRetention;

    @Mixin
    private MeteringOptions meteringOptions;

    @Option(
            names = "--serve-raw-queries",
            description = {
                "Answer queries over several partitions that come without a plan.",
                "Default: refuse those that need one, as the service does; SDKs then ask by a plan."
            })
    private boolean serveRawQueries;

    @Option(
            names = "--default-consistency",
            paramLabel = "LEVEL",
            description = "Strong, BoundedStaleness, Session (default), ConsistentPrefix or Eventual.")
    private String defaultConsistency;

    @Mixin
    private DoorOptions doorOptions;

    @Mixin
    private RegionOptions regionOptions;

    @Mixin
    private EmulatorOptions emulatorOptions;

    @Option(
            names = "--audit-log",
            paramLabel = "FILE",
            description = "File for a line about every change to databases, containers, scripts and permissions.")
    private Path auditLog;

    @Option(
            names = "--log-level",
            paramLabel = "LEVEL",
            description = "error, warn, info (default) or debug, which shows every request.")
    private String logLevel;

    @Option(names = "--exit-when-ready", hidden = true, description = "For the build: train the class cache and stop.")
    private boolean exitWhenReady;

    @Override
    public Integer call() throws InterruptedException {
        var variables = System.getenv();
        var given = Given.of(
                variables,
                emulatorOptions.environment(variables, Optional.ofNullable(port)),
                Optional.ofNullable(config).map(ConfigurationFile::read));
        ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME))
                .setLevel(level(given.text(logLevel, "logLevel").orElse("info")));
        var names = regionOptions.toStart(given);
        if (!names.isEmpty()) {
            return startAll(names, given);
        }
        var settings = settings(given);
        if (settings.regions().filter(plan -> plan.mine().isWitness()).isPresent()) {
            return witness(settings);
        }
        try (var server = RunningServer.start(settings)) {
            var stop = new Thread(server::close, "stop");
            Runtime.getRuntime().addShutdownHook(stop);
            server.printReady(System.out);
            if (exitWhenReady) {
                new Warmup(server.port(), settings.readKeys().primary(), Clock.systemUTC()).run();
                Runtime.getRuntime().removeShutdownHook(stop);
                return 0;
            }
            server.awaitClosed();
            return 0;
        } catch (StoreException problem) {
            throw new UserError(problem.getMessage(), problem);
        } catch (UncheckedIOException problem) {
            throw new UserError(
                    "The server " + problem.getMessage() + ". Is another one running? Try another --port.", problem);
        } catch (CompletionException problem) {
            throw new UserError("https cannot be served: " + problem.getCause().getMessage(), problem);
        }
    }

    /** Holds no data and serves no clients: it only has a voice. */
    private static int witness(Settings settings) throws InterruptedException {
        var plan = settings.regions().orElseThrow();
        var threads = new Threads();
        var keys = new LiveKeys(settings);
        keys.follow(threads.timer());
        var client = new LinkClient(
                () -> LinkKey.of(keys.get().primary()),
                InstantSource.system(),
                plan.trust(),
                new LinkTraffic(),
                threads.workers());
        var council = AccountCouncil.open(
                        plan,
                        settings.data().orElseThrow(),
                        keys,
                        (to, question) -> client.ask(to.endpoint(), question),
                        new Faults(threads.timer()),
                        new SecureRandom())
                .council();
        var ended = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            council.close();
                            ended.countDown();
                        },
                        "stop"));
        System.out.println("Orrery is ready: " + plan.me() + " is a witness of the account '" + plan.account()
                + "', at " + plan.mine().council());
        System.out.flush();
        ended.await();
        return 0;
    }

    /** Each region gets what this command was given, but for what tells them apart. */
    private int startAll(List<String> names, Given given) throws InterruptedException {
        var passed = new ArrayList<String>();
        for (var option : spec.commandLine().getParseResult().matchedOptions()) {
            if (!PER_REGION.contains(option.longestName())) {
                boolean isFlag = option.arity().max() == 0;
                for (var value : option.originalStringValues()) {
                    passed.add(option.longestName());
                    if (!isFlag) {
                        passed.add(value);
                    }
                }
            }
        }
        var folder = Path.of(
                given.text(data == null ? null : data.toString(), "data").orElse("orrery-data"));
        int first = checkedPort(given.text(port == null ? null : port.toString(), "port"));
        try (var regions = new RegionProcesses(names, first, folder, passed)) {
            Runtime.getRuntime().addShutdownHook(new Thread(regions::close, "stop"));
            regions.await();
        }
        return 0;
    }

    private Settings settings(Given given) {
        if (memory && data != null) {
            throw new UserError("--memory keeps nothing on disk, so --data has no meaning beside it. Leave one out.");
        }
        // Asked in any case: a value of the wrong kind is refused even where it would not matter.
        boolean fileKeepsNothing = given.flag("memory");
        boolean keepsNothing = memory || (data == null && fileKeepsNothing);
        var door = doorOptions.door(given);
        var plan = regionOptions.plan(given);
        if (keepsNothing && plan.isPresent()) {
            throw new UserError("A region keeps its data on disk, or the others would lose theirs when it starts again:"
                    + " leave --memory out.");
        }
        if (door.advertised().isPresent()
                && plan.filter(several -> !several.mine().isWitness() && !RegionOptions.isBeside(several.mine()))
                        .isPresent()) {
            throw new UserError(
                    "--advertise has no meaning beside --regions with the addresses of machines: these are what"
                            + " clients are told. Leave it out, and name in --regions what clients reach.");
        }
        Path directory = Path.of(
                given.text(data == null ? null : data.toString(), "data").orElse("orrery-data"));
        return new Settings(
                given.text(host, "host").orElse("localhost"),
                checkedPort(given.text(port == null ? null : port.toString(), "port")),
                DirectPort.parse(given.text(directPort, "directPort")),
                keepsNothing ? Optional.empty() : Optional.of(directory),
                keyOptions.sources(given),
                durability(given.text(durability, "durability").orElse("strict")),
                cacheBytes(given.text(cache == null ? null : cache.toString(), "cache")),
                diskReserveBytes(given.text(diskReserve == null ? null : diskReserve.toString(), "diskReserve")),
                logicalPartitionBytesMax(given.text(
                        logicalPartitionMax == null ? null : logicalPartitionMax.toString(), "logicalPartitionMax")),
                consistency(given.text(defaultConsistency, "defaultConsistency").orElse("Session")),
                retention(given.text(changeRetention, "changeRetention")),
                meteringOptions.metering(given.file()),
                given.flag("serveRawQueries") || serveRawQueries,
                door,
                emulatorOptions.emulation(given),
                given.text(auditLog == null ? null : auditLog.toString(), "auditLog")
                        .map(Path::of),
                plan,
                regionOptions.staleness(given),
                given.file());
    }

    private static int checkedPort(Optional<String> text) {
        if (text.isEmpty()) {
            return DEFAULT_PORT;
        }
        try {
            int number = Integer.parseInt(text.get());
            if (number >= 0 && number <= 65_535) {
                return number;
            }
        } catch (NumberFormatException notANumber) {
            throw new UserError("The port must be a number, not '" + text.get() + "'.", notANumber);
        }
        throw new UserError("The port must be from 0 to 65535, not " + text.get() + ".");
    }

    private static long cacheBytes(Optional<String> megabytes) {
        try {
            long bytes = megabytes
                    .map(text -> Integer.parseInt(text) * 1024L * 1024L)
                    .orElseGet(StartCommand::cacheBytesByDefault);
            if (bytes > 0) {
                return bytes;
            }
        } catch (NumberFormatException _) {
            // Said below, together with numbers that are too small.
        }
        throw new UserError("The cache must be a whole number of megabytes above 0, not '" + megabytes.get() + "'.");
    }

    private static long logicalPartitionBytesMax(Optional<String> megabytes) {
        if (megabytes.isEmpty()) {
            return Limits.LOGICAL_PARTITION_BYTES_MAX;
        }
        try {
            int given = Integer.parseInt(megabytes.get());
            if (given > 0) {
                return given * 1024L * 1024L;
            }
        } catch (NumberFormatException _) {
            // Said below, together with numbers that are too small.
        }
        throw new UserError("The largest size of a logical partition must be a whole number of megabytes above 0, not '"
                + megabytes.get() + "'.");
    }

    private static Optional<Long> diskReserveBytes(Optional<String> megabytes) {
        return megabytes.map(text -> {
            try {
                int given = Integer.parseInt(text);
                if (given >= 0) {
                    return given * 1024L * 1024L;
                }
            } catch (NumberFormatException _) {
                // Said below, together with numbers that are too small.
            }
            throw new UserError("The disk reserve must be a whole number of megabytes, not '" + text + "'.");
        });
    }

    private static Retention retention(Optional<String> minutes) {
        try {
            int given = minutes.map(Integer::parseInt)
                    .orElse((int) Retention.DEFAULT.byDefault().toMinutes());
            if (given > 0) {
                return new Retention(Duration.ofMinutes(given));
            }
        } catch (NumberFormatException _) {
            // Said below, together with numbers that are too small.
        }
        throw new UserError(
                "The change retention must be a whole number of minutes above 0, not '" + minutes.get() + "'.");
    }

    /** Java gives its heap a quarter of the memory of the machine or container, unless told otherwise. */
    private static long cacheBytesByDefault() {
        return Math.max(
                RocksDbSettings.DEFAULT.blockCacheBytes(), Runtime.getRuntime().maxMemory() / 2);
    }

    private static Level level(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "error" -> Level.ERROR;
            case "warn" -> Level.WARN;
            case "info" -> Level.INFO;
            case "debug" -> Level.DEBUG;
            default -> throw new UserError("The log level is error, warn, info or debug, not '" + text + "'.");
        };
    }

    private static Durability durability(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "strict" -> Durability.STRICT;
            case "relaxed" -> Durability.RELAXED;
            default -> throw new UserError("The durability is strict or relaxed, not '" + text + "'.");
        };
    }

    private static ConsistencyLevel consistency(String text) {
        return Arrays.stream(ConsistencyLevel.values())
                .filter(level -> level.label().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new UserError("The default consistency is one of Strong, BoundedStaleness, Session,"
                        + " ConsistentPrefix and Eventual, not '" + text + "'."));
    }
}
