package dev.orrery.server;

import dev.orrery.gateway.reply.AccountDescription.Staleness;
import dev.orrery.region.Member;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Option;

/** Which account of several regions a server is one of. */
final class RegionOptions {
    private static final int REGIONS_MAX = 16;
    private static final int VERSIONS_MIN = 10;

    /** More than the time for which a region that hears nothing may go on answering. */
    private static final int SECONDS_MIN = 5;

    private static final int SECONDS_MAX = 86_400;
    private static final int COUNCIL_PORT_AFTER = 2;
    private static final String COUNCIL = "council=";
    private static final List<String> SCHEMES = List.of("http", "https");

    @Option(
            names = "--regions",
            paramLabel = "LIST",
            description = {
                "Several regions of one account. Names alone, \"West US,North Europe\", start all of them here,",
                "each as a process of its own. With addresses, \"West US=https://a:8081,North Europe=https://b:8081\",",
                "this server is the one that --region names; the first takes the writes of a new account.",
                "Three or more agree by votes who writes when a region is lost; a third one may be a witness",
                "without data, \"Tower=witness://c:8083\"."
            })
    private String regions;

    @Option(names = "--region", paramLabel = "NAME", description = "Which of --regions this server is.")
    private String region;

    @Option(
            names = "--account",
            paramLabel = "NAME",
            description = "Name of the account, the same in all regions (default: orrery).")
    private String account;

    @Option(
            names = "--multi-write",
            description = {
                "Let every region of a new account take writes of items; the first one settles conflicts.",
                "It cannot be changed later."
            })
    private boolean multiWrite;

    @Option(
            names = "--trust",
            paramLabel = "FILE",
            description = {
                "Certificates (PEM) that other regions may show, such as what they serve at /_orrery/cert.pem.",
                "Default: those that the Java runtime trusts."
            })
    private Path trust;

    @Option(
            names = "--staleness-versions",
            paramLabel = "N",
            description = "At bounded staleness: how many versions of a range a region may lack (default: 100).")
    private Integer stalenessVersions;

    @Option(
            names = "--staleness-seconds",
            paramLabel = "N",
            description = "At bounded staleness: how many seconds a region may be behind (default: 5).")
    private Integer stalenessSeconds;

    @Option(
            names = "--allow-faults",
            description = "Let 'orrery fault' cut, delay and pause the links to other regions, to rehearse.")
    private boolean allowFaults;

    /** The names to start regions under here, none when there is nothing to be started besides this server. */
    List<String> toStart(Given given) {
        var list = given.text(regions, "regions").orElse("");
        return list.isBlank() || list.contains("=") ? List.of() : names(list);
    }

    String account(Given given) {
        return given.text(account, "account").orElse("orrery");
    }

    boolean allowsFaults(Given given) {
        return allowFaults || given.flag("allowFaults");
    }

    private Optional<SSLContext> trust(Given given) {
        return given.text(trust == null ? null : trust.toString(), "trust").map(file -> LinkTrust.of(Path.of(file)));
    }

    /** What the account promises at bounded staleness, be it in one region or in several. */
    Staleness staleness(Given given) {
        return new Staleness(
                bound(given, stalenessVersions, "stalenessVersions", VERSIONS_MIN, 100, Integer.MAX_VALUE),
                Duration.ofSeconds(
                        bound(given, stalenessSeconds, "stalenessSeconds", SECONDS_MIN, SECONDS_MIN, SECONDS_MAX)));
    }

    private static int bound(Given given, Integer said, String name, int least, int usual, int most) {
        var text = given.text(said == null ? null : said.toString(), name).orElse(Integer.toString(usual));
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below, together with numbers that are out of bounds.
        }
        throw new UserError(name + " is a number from " + least + " to " + most + ", not '" + text + "'.");
    }

    Optional<RegionPlan> plan(Given given) {
        var list = given.text(regions, "regions").orElse("");
        var me = given.text(region, "region");
        if (!list.contains("=")) {
            if (me.isPresent()) {
                throw new UserError("--region names one of --regions, which needs the addresses of all: --regions"
                        + " \"West US=https://a:8081,North Europe=https://b:8081\".");
            }
            return Optional.empty();
        }
        var members = members(list);
        var mine = me.orElseThrow(() -> new UserError("Which of the regions is this server? Say --region NAME."));
        if (members.stream().noneMatch(member -> member.name().equals(mine))) {
            throw new UserError("--region '" + mine + "' is none of --regions, which are "
                    + String.join(", ", members.stream().map(Member::name).toList()) + ".");
        }
        return Optional.of(new RegionPlan(
                account(given),
                mine,
                members,
                staleness(given),
                trust(given),
                multiWrite || given.flag("multipleWriteRegions"),
                allowsFaults(given)));
    }

    private static List<String> names(String list) {
        var names = new LinkedHashSet<String>();
        for (var part : list.split(",", -1)) {
            var name = part.strip();
            if (name.isEmpty() || !names.add(name)) {
                throw new UserError("--regions needs different names with commas between, not '" + list + "'.");
            }
        }
        if (names.size() > REGIONS_MAX) {
            throw new UserError("An account has at most " + REGIONS_MAX + " regions, not " + names.size() + ".");
        }
        return List.copyOf(names);
    }

    private static List<Member> members(String list) {
        var names = names(Arrays.stream(list.split(",", -1))
                .map(part -> part.split("=", 2)[0])
                .reduce((one, other) -> one + "," + other)
                .orElseThrow());
        var addresses =
                Arrays.stream(list.split(",", -1)).map(RegionOptions::address).toList();
        var members = new ArrayList<Member>();
        for (int number = 0; number < names.size(); number++) {
            members.add(member(names.get(number), number, addresses.get(number)));
        }
        return members;
    }

    /** One region, from {@code name=address}. */
    static Member member(String part) {
        return member(part.split("=", 2)[0].strip(), 0, address(part));
    }

    /** A region's address as {@code --regions} takes it. */
    static String address(Member member) {
        return member.isWitness()
                ? "witness://" + member.council()
                : member.endpoint() + "?" + COUNCIL
                        + member.council().substring(member.council().lastIndexOf(':') + 1);
    }

    /** Where a region votes is two ports further on, unless its address says otherwise: {@code http://host:8081/?council=9000}. */
    private static Member member(String name, int number, URI address) {
        if ("witness".equals(address.getScheme())) {
            return new Member(name, number, "", address.getHost() + ":" + address.getPort(), true);
        }
        var query = address.getQuery();
        int port = query != null && query.startsWith(COUNCIL)
                ? Integer.parseInt(query.substring(COUNCIL.length()))
                : port(address) + COUNCIL_PORT_AFTER;
        return new Member(name, number, address.resolve("/").toString(), address.getHost() + ":" + port, false);
    }

    private static int port(URI address) {
        return address.getPort() != -1 ? address.getPort() : "https".equals(address.getScheme()) ? 443 : 80;
    }

    private static URI address(String part) {
        var halves = part.split("=", 2);
        try {
            var address = URI.create(halves.length == 2 ? halves[1].strip() : "");
            if (address.getHost() != null
                    && (SCHEMES.contains(address.getScheme())
                            || ("witness".equals(address.getScheme()) && address.getPort() != -1))) {
                demandEncrypted(address);
                return address;
            }
        } catch (IllegalArgumentException _) {
            // Said below.
        }
        throw wrong(part);
    }

    /** What regions tell each other must not be read on its way from one machine to another. */
    private static void demandEncrypted(URI address) {
        if ("http".equals(address.getScheme()) && !isHere(address.getHost())) {
            throw new UserError("What regions tell each other would go to " + address.getHost()
                    + " without encryption: say https in --regions, not " + address + ".");
        }
    }

    /** Whether only its own machine reaches it by its address, so that clients are told the name that they have used. */
    static boolean isBeside(Member member) {
        var host = URI.create(member.endpoint()).getHost();
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    static int port(Member member) {
        return port(URI.create(member.endpoint()));
    }

    static boolean isHere(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException _) {
            return false;
        }
    }

    private static UserError wrong(String part) {
        return new UserError(
                "Each of --regions has an address such as West US=https://host:8081, not '" + part.strip() + "'.");
    }
}
