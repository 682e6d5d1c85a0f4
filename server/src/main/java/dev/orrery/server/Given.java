package dev.orrery.server;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What was said of a server beside its command line: by the environment first, then by the configuration file.
 *
 * @param environment under the names of the configuration file
 */
record Given(Map<String, String> environment, Optional<ConfigurationFile> file) {
    private static final Map<String, String> VARIABLES = Map.of(
            "ORRERY_KEY", "key",
            "ORRERY_SECONDARY_KEY", "secondaryKey",
            "ORRERY_READ_ONLY_KEY", "readOnlyKey",
            "ORRERY_SECONDARY_READ_ONLY_KEY", "secondaryReadOnlyKey",
            "ORRERY_KEY_FILE", "keyFile",
            "ORRERY_SECONDARY_KEY_FILE", "secondaryKeyFile",
            "ORRERY_READ_ONLY_KEY_FILE", "readOnlyKeyFile",
            "ORRERY_SECONDARY_READ_ONLY_KEY_FILE", "secondaryReadOnlyKeyFile",
            "ORRERY_CERTIFICATE_PASSWORD", "certificatePassword",
            "ORRERY_CERTIFICATE_NAMES", "certificateNames");

    private static final Pattern BETWEEN_TEXTS = Pattern.compile("[,\\s]+");

    Given {
        environment = Map.copyOf(environment);
    }

    /**
     * With our own variables out of all those of the process.
     *
     * @param foreign what variables of others say, which count less
     */
    static Given of(Map<String, String> variables, Map<String, String> foreign, Optional<ConfigurationFile> file) {
        var environment = new HashMap<>(foreign);
        VARIABLES.forEach((variable, name) -> Optional.ofNullable(variables.get(variable))
                .filter(value -> !value.isBlank())
                .ifPresent(value -> environment.put(name, value.strip())));
        return new Given(environment, file);
    }

    Optional<String> environment(String name) {
        return Optional.ofNullable(environment.get(name));
    }

    Optional<String> text(String name) {
        return environment(name).or(() -> file.flatMap(some -> some.text(name)));
    }

    /** What the command line says, or else this. */
    Optional<String> text(String said, String name) {
        return Optional.ofNullable(said).or(() -> text(name));
    }

    boolean flag(String name) {
        return environment(name)
                .map(Boolean::parseBoolean)
                .or(() -> file.flatMap(some -> some.flag(name)))
                .orElse(false);
    }

    /** In the environment, several are separated by commas or blanks. */
    List<String> texts(String name) {
        return environment(name)
                .map(texts -> BETWEEN_TEXTS
                        .splitAsStream(texts)
                        .filter(text -> !text.isEmpty())
                        .toList())
                .or(() -> file.map(some -> some.texts(name)))
                .orElse(List.of());
    }

    /** Keys must not appear in logs. */
    @Override
    public String toString() {
        return "Given[...]";
    }
}
