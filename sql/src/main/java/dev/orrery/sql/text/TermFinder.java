package dev.orrery.sql.text;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.lucene.util.automaton.CharacterRunAutomaton;
import org.apache.lucene.util.automaton.LevenshteinAutomata;

/** Finds a term among words. A term without words, or of words that say nothing only, is nowhere. */
final class TermFinder {
    private static final int WORD_BYTES = 128;

    /** States for each letter, and bytes for each state and letter, while and after words with edits are laid out. */
    private static final long EDITED_BYTES = 31 * 32;

    private record Part(Predicate<String> word, int place) {}

    private final List<Part> parts = new ArrayList<>();

    TermFinder(Term term, Words words) {
        if (words.count() > Limits.SEARCH_TERM_WORDS_MAX) {
            throw new FailureException(new Failure.BadRequest("A search term has " + words.count() + " words; at most "
                    + Limits.SEARCH_TERM_WORDS_MAX + " are allowed."));
        }
        for (var index = 0; index < words.count(); index++) {
            parts.add(new Part(like(words.word(index), term.editsMax()), words.place(index) - words.place(0)));
        }
    }

    /** What it takes to look for a term. */
    static long bytes(Term term, Words words) {
        long bytes = 0;
        for (var index = 0; index < words.count(); index++) {
            var word = words.word(index);
            bytes += WORD_BYTES + 2L * word.length();
            if (term.editsMax() > 0) {
                bytes += EDITED_BYTES
                        * (word.length() + 1)
                        * (word.chars().distinct().count() + 2);
            }
        }
        return bytes;
    }

    private static Predicate<String> like(String word, int editsMax) {
        if (editsMax == 0) {
            return word::equals;
        }
        var near = new CharacterRunAutomaton(new LevenshteinAutomata(word, true).toAutomaton(editsMax));
        return near::run;
    }

    boolean isIn(Words words) {
        return count(words, 1) > 0;
    }

    int count(Words words) {
        return count(words, Integer.MAX_VALUE);
    }

    private int count(Words words, int enough) {
        var count = 0;
        for (var index = 0; index < words.count() && count < enough && !parts.isEmpty(); index++) {
            count += isAt(index, words) ? 1 : 0;
        }
        return count;
    }

    private boolean isAt(int first, Words words) {
        var index = first;
        for (var part : parts) {
            var place = words.place(first) + part.place();
            while (index < words.count() && words.place(index) < place) {
                index++;
            }
            if (index == words.count()
                    || words.place(index) != place
                    || !part.word().test(words.word(index))) {
                return false;
            }
        }
        return true;
    }
}
