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

    public boolean contain(String key) {
        return Stream.of(Optional.of(primary), secondary, primaryReadOnly, secondaryReadOnly)
                .anyMatch(Optional.of(key)::equals);
    }

    /** Keys must not appear in logs. */
    @Override
    public String toString() {
        return "AccountKeys[...]";
    }
}
