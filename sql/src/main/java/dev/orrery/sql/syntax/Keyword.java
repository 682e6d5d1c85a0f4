package dev.orrery.sql.syntax;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The words that mean something to the grammar, in any case of letters. */
enum Keyword {
    /** Every other word. */
    NONE(false),
    ALL(false),
    AND(true),
    ARRAY(false),
    AS(true),
    ASC(true),
    BETWEEN(true),
    BY(true),
    DESC(true),
    DISTINCT(true),
    ESCAPE(false),
    EXISTS(true),
    FALSE(true),
    FIRST(false),
    FROM(true),
    GROUP(true),
    IN(true),
    JOIN(true),
    LAST(false),
    LIKE(true),
    LIMIT(true),
    NOT(true),
    NULL(true),
    OFFSET(true),
    OR(true),
    ORDER(true),
    RANK(false),
    SELECT(true),
    TOP(true),
    TRUE(true),
    UDF(false),
    UNDEFINED(true),
    VALUE(true),
    WHERE(true);

    private static final Map<String, Keyword> BY_SPELLING = Arrays.stream(values())
            .filter(keyword -> keyword != NONE)
            .collect(Collectors.toUnmodifiableMap(Keyword::name, Function.identity()));

    private static final int LONGEST = 9;

    private final boolean reserved;

    Keyword(boolean reserved) {
        this.reserved = reserved;
    }

    /** Whether the word cannot name a property or an alias unless it is quoted, as in {@code c["order"]}. */
    boolean reserved() {
        return reserved;
    }

    static Keyword of(String word) {
        // Property names are most of the words and mostly in lower case: do not make a copy of the long ones.
        return word.length() > LONGEST ? NONE : BY_SPELLING.getOrDefault(word.toUpperCase(Locale.ROOT), NONE);
    }
}
