package dev.orrery.gateway.auth;

import java.util.Base64;
import java.util.Optional;
import java.util.stream.Stream;

/** The keys of the account, in base64 as users handle them; the read-only ones may read and query and nothing else. */
public record AccountKeys(
        String primary,
        Optional<String> secondary,
        Optional<String> primaryReadOnly,
        Optional<String> secondaryReadOnly) {

    /** Published, and the same everywhere: good for a machine that only its user reaches, and for nothing else. */
    public static final String WELL_KNOWN =
            "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";

    public AccountKeys {
        check(primary);
        secondary.ifPresent(AccountKeys::check);
        primaryReadOnly.ifPresent(AccountKeys::check);
        secondaryReadOnly.ifPresent(AccountKeys::check);
    }

    public static AccountKeys of(String primary) {
        return new AccountKeys(primary, Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static void check(String key) {
        if (key.isEmpty()) {
            throw new IllegalArgumentException("an account key must not be empty");
        }
        try {
            Base64.getDecoder().decode(key);
        } catch (IllegalArgumentException _) {
            throw new IllegalArgumentException("an account key must be base64 text");
        }
    }

    /** Whether everybody knows one of them. */
    public boolean areWellKnown() {
        return isWellKnown(Optional.of(primary))
                || isWellKnown(secondary)
                || isWellKnown(primaryReadOnly)
                || isWellKnown(secondaryReadOnly);
    }

    private static boolean isWellKnown(Optional<String> key) {
        return key.isPresent() && key.get().equals(WELL_KNOWN);
    }

    /** The length of the one that is the easiest to guess. */
    public int shortestBytes() {
        return Stream.of(Optional.of(primary), secondary, primaryReadOnly, secondaryReadOnly)
                .flatMap(Optional::stream)
                .mapToInt(key -> Base64.getDecoder().decode(key).length)
                .min()
                .orElseThrow();
    }

    /** Keys must not appear in logs. */
    @Override
    public String toString() {
        return "AccountKeys[...]";
    }
}
