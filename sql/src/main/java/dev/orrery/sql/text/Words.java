package dev.orrery.sql.text;

import java.util.ArrayList;
import java.util.List;

/** The words of a text in their order, each reduced to its stem, with the places that they have in the text. */
final class Words {
    private final List<String> words = new ArrayList<>();
    private final List<Integer> places = new ArrayList<>();

    /** Adds a word; places ascend, and words that say nothing leave theirs empty. */
    void add(String word, int place) {
        words.add(word);
        places.add(place);
    }

    int count() {
        return words.size();
    }

    String word(int index) {
        return words.get(index);
    }

    int place(int index) {
        return places.get(index);
    }
}
