package dev.orrery.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The environment variables of both official emulators, in our terms.
 *
 * @param settings under the names of the configuration file
 * @param notes what somebody should know who has set a variable that does not do here what it does there
 */
record EmulatorEnvironment(Map<String, String> settings, List<String> notes) {
    private static final String PREFIX = "AZURE_COSMOS_EMULATOR_";
    private static final String PUBLIC_ENDPOINT = "GATEWAY_PUBLIC_ENDPOINT";
    private static final String DEFAULT_PORT = "8081";

    /** Those that other programs know as well are only looked for by their whole name. */
    private static final List<String> OTHERS = List.of(
            "PROTOCOL",
            "PORT",
            "CERT_PATH",
            "CERT_SECRET",
            "KEY_FILE",
            "DATA_PATH",
            "LOG_LEVEL",
            "EXPLORER_PORT",
            "EXPLORER_PROTOCOL",
            "ENABLE_EXPLORER",
            "ENABLE_TELEMETRY",
            PUBLIC_ENDPOINT);

    EmulatorEnvironment {
        settings = Map.copyOf(settings);
        notes = List.copyOf(notes);
    }

    /** The emulators forget everything when they stop, unless they are told otherwise. */
    static EmulatorEnvironment read(Map<String, String> variables, Optional<Integer> port) {
        var settings = new HashMap<>(Map.of("memory", "true"));
        var notes = new ArrayList<String>();
        new TreeMap<>(variables).forEach((name, value) -> {
            boolean isOfTheFamily = name.startsWith(PREFIX) || OTHERS.contains(name);
            if (isOfTheFamily && !value.isBlank()) {
                take(name, value.strip(), settings, notes);
            }
        });
        var ports = port.map(Object::toString).orElse(settings.getOrDefault("port", DEFAULT_PORT));
        advertised(variables, ports).ifPresent(address -> settings.put("advertise", address));
        return new EmulatorEnvironment(settings, notes);
    }

    /** Each of the emulators has another variable for the address that clients are told, and another protocol by itself. */
    private static Optional<String> advertised(Map<String, String> variables, String port) {
        var protocol = value(variables, "PROTOCOL").map(text -> text.toLowerCase(Locale.ROOT));
        var scheme = protocol.filter(text -> text.startsWith("http")).map(text -> text.equals("http") ? text : "https");
        return value(variables, PUBLIC_ENDPOINT)
                .map(host -> address(host, scheme.orElse("http"), port))
                .or(() -> value(variables, PREFIX + "IP_ADDRESS_OVERRIDE")
                        .map(host -> address(host, scheme.orElse("https"), port)));
    }

    private static Optional<String> value(Map<String, String> variables, String name) {
        return Optional.ofNullable(variables.get(name)).map(String::strip).filter(value -> !value.isEmpty());
    }

    /** @param host may have a port of its own, or be a whole address */
    private static String address(String host, String scheme, String port) {
        if (host.contains("://")) {
            return host;
        }
        boolean isOfVersion6 = host.indexOf(':') != host.lastIndexOf(':') && !host.startsWith("[");
        var name = isOfVersion6 ? "[" + host + "]" : host;
        boolean hasPort = name.lastIndexOf(':') > name.lastIndexOf(']');
        return scheme + "://" + name + (hasPort ? "" : ":" + port);
    }

    private static void take(String name, String value, Map<String, String> settings, List<String> notes) {
        switch (name) {
            case PREFIX + "ENABLE_DATA_PERSISTENCE" ->
                settings.put("memory", Boolean.toString(!Boolean.parseBoolean(value)));
            case PREFIX + "IP_ADDRESS_OVERRIDE", PUBLIC_ENDPOINT -> {} // Said together with the port.
            case PREFIX + "KEY" -> settings.put("key", value);
            case PREFIX + "PARTITION_COUNT" ->
                notes.add(name + " has no effect: the number of containers is not limited.");
            case "PORT" -> settings.put("port", value);
            case "CERT_PATH" -> settings.put("certificate", value);
            case "CERT_SECRET" -> settings.put("certificatePassword", value);
            case "KEY_FILE" -> settings.put("keyFile", value);
            case "DATA_PATH" -> {
                settings.put("data", value);
                settings.put("memory", "false");
            }
            case "LOG_LEVEL" -> settings.put("logLevel", logLevel(value));
            case "PROTOCOL" -> noteUnknownProtocol(value, notes);
            default -> notes.add(name + " is set, and has no effect here.");
        }
    }

    /** http and https are served on one port, so either is right. */
    private static void noteUnknownProtocol(String value, List<String> notes) {
        if (!List.of("http", "https", "https-insecure").contains(value.toLowerCase(Locale.ROOT))) {
            notes.add("PROTOCOL is http or https, and both are served in any case, not '" + value + "'.");
        }
    }

    private static String logLevel(String value) {
        return switch (value.toLowerCase(Locale.ROOT)) {
            case "quiet" -> "error";
            case "trace" -> "debug";
            default -> value;
        };
    }

    /** It may hold a key. */
    @Override
    public String toString() {
        return "EmulatorEnvironment[...]";
    }
}
