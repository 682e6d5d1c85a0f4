package dev.orrery.sql.text;

import java.util.HashMap;
import java.util.Map;

/**
 * What an index keeps of a text: how often each word is in it, reduced to its stem, and how many words there are.
 *
 * @param count the length of the text that FullTextScore reckons with: the sum of the frequencies
 */
public record TextWords(Map<String, Integer> frequencies, int count) {
    public TextWords {
        frequencies = Map.copyOf(frequencies);
    }

    static TextWords of(Words words) {
        var frequencies = new HashMap<String, Integer>();
        for (var index = 0; index < words.count(); index++) {
            frequencies.merge(words.word(index), 1, Integer::sum);
        }
        return new TextWords(frequencies, words.count());
    }
}
