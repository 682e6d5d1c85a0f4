package dev.orrery.sql.text;

import java.util.List;
import java.util.Set;

/**
 * What a search by terms demands of the words of a text, in the form in which an index by words can look for it. A text
 * in which the terms are found always meets the condition.
 */
public sealed interface WordCondition {
    /** Words alone do not tell, as when letters of a word may differ; every text has to be looked at. */
    record Unknown() implements WordCondition {}

    record Word(String word) implements WordCondition {}

    /** Words that must also stand together, which only the text itself can tell. */
    record Phrase(Set<String> words) implements WordCondition {
        public Phrase {
            words = Set.copyOf(words);
        }
    }

    record AllOf(List<WordCondition> parts) implements WordCondition {
        public AllOf {
            parts = List.copyOf(parts);
        }
    }

    /** Without parts, which is what terms without words give, no text meets it. */
    record AnyOf(List<WordCondition> parts) implements WordCondition {
        public AnyOf {
            parts = List.copyOf(parts);
        }
    }

    /** Whether a text with these words can be one in which the terms are found. */
    default boolean mayHold(Set<String> words) {
        return switch (this) {
            case Unknown _ -> true;
            case Word(String word) -> words.contains(word);
            case Phrase(var all) -> words.containsAll(all);
            case AllOf(var parts) -> parts.stream().allMatch(part -> part.mayHold(words));
            case AnyOf(var parts) -> parts.stream().anyMatch(part -> part.mayHold(words));
        };
    }

    /** Whether every text that meets the condition is one in which the terms are found, so that nobody has to look. */
    default boolean isExact() {
        return switch (this) {
            case Unknown _, Phrase _ -> false;
            case Word _ -> true;
            case AllOf(var parts) -> parts.stream().allMatch(WordCondition::isExact);
            case AnyOf(var parts) -> parts.stream().allMatch(WordCondition::isExact);
        };
    }
}
