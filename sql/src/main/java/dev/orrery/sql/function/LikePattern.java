package dev.orrery.sql.function;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The right side of LIKE: {@code %} for any text, {@code _} for any character, {@code [a-f]} and {@code [^a-f]} for one
 * character in or outside of a set. A wildcard in brackets, or after the escape character, stands for itself.
 */
public final class LikePattern {
    private static final int ANY_TEXT = -1;
    private static final int ANY_CHARACTER = -2;
    private static final int SET = -3;

    /** A code point of its own, or one of the constants above. */
    private final int[] steps;

    private final List<Optional<CharacterSet>> sets;

    private LikePattern(int[] steps, List<Optional<CharacterSet>> sets) {
        this.steps = steps;
        this.sets = sets;
    }

    /** The text before the first wildcard. */
    public String start() {
        var start = new StringBuilder();
        for (int i = 0; i < steps.length && steps[i] >= 0; i++) {
            start.appendCodePoint(steps[i]);
        }
        return start.toString();
    }

    /** Whether there is no wildcard at all. */
    public boolean isLiteral() {
        return Arrays.stream(steps).allMatch(step -> step >= 0);
    }

    /** Whether whatever starts with {@link #start} matches. */
    public boolean isStartOnly() {
        return steps.length > 0
                && steps[steps.length - 1] == ANY_TEXT
                && Arrays.stream(steps, 0, steps.length - 1).allMatch(step -> step >= 0);
    }

    static LikePattern of(String pattern, Optional<String> escape) {
        return new Reader(pattern, escape).read();
    }

    /**
     * Matches by remembering the last {@code %} only: if a later part fails, that one takes a character more. The time
     * is bounded by the product of the lengths.
     */
    public boolean matches(String text) {
        var position = 0;
        var step = 0;
        var retryStep = -1;
        var retryPosition = 0;
        while (position < text.length()) {
            var codePoint = text.codePointAt(position);
            if (step < steps.length && steps[step] == ANY_TEXT) {
                retryStep = ++step;
                retryPosition = position;
            } else if (step < steps.length && accepts(step, codePoint)) {
                step++;
                position += Character.charCount(codePoint);
            } else if (retryStep >= 0) {
                retryPosition += Character.charCount(text.codePointAt(retryPosition));
                position = retryPosition;
                step = retryStep;
            } else {
                return false;
            }
        }
        while (step < steps.length && steps[step] == ANY_TEXT) {
            step++;
        }
        return step == steps.length;
    }

    private boolean accepts(int step, int codePoint) {
        return switch (steps[step]) {
            case ANY_CHARACTER -> true;
            case SET -> sets.get(step).orElseThrow().contains(codePoint);
            default -> steps[step] == codePoint;
        };
    }

    private record CharacterSet(boolean negated, List<Range> ranges) {
        private record Range(int first, int last) {}

        boolean contains(int codePoint) {
            for (var range : ranges) {
                if (codePoint >= range.first() && codePoint <= range.last()) {
                    return !negated;
                }
            }
            return negated;
        }
    }

    private static final class Reader {
        private final int[] pattern;
        private final int escape;
        private final List<Integer> steps = new ArrayList<>();
        private final List<Optional<CharacterSet>> sets = new ArrayList<>();
        private final int lastClose;
        private int position;

        Reader(String pattern, Optional<String> escape) {
            this.pattern = pattern.codePoints().toArray();
            this.escape = escape.map(text -> text.codePointAt(0)).orElse(-1);
            var last = this.pattern.length - 1;
            while (last >= 0 && this.pattern[last] != ']') {
                last--;
            }
            lastClose = last;
        }

        LikePattern read() {
            while (position < pattern.length) {
                var codePoint = pattern[position];
                if (codePoint == escape && position + 1 < pattern.length) {
                    add(pattern[position + 1]);
                    position += 2;
                } else if (codePoint == '[' && endOfSet() <= lastClose) {
                    readSet(endOfSet());
                } else {
                    add(codePoint == '%' ? ANY_TEXT : codePoint == '_' ? ANY_CHARACTER : codePoint);
                    position++;
                }
            }
            return new LikePattern(steps.stream().mapToInt(Integer::intValue).toArray(), List.copyOf(sets));
        }

        private void add(int step) {
            steps.add(step);
            sets.add(Optional.empty());
        }

        /**
         * The index of the bracket that closes the one at the position. Beyond the last closing bracket there is none, and
         * the opening one stands for itself; not searching then keeps the time linear.
         */
        private int endOfSet() {
            var index = position + 2;
            while (index <= lastClose && pattern[index] != ']') {
                index++;
            }
            return index;
        }

        private void readSet(int end) {
            var negated = pattern[position + 1] == '^' && end > position + 2;
            var index = position + (negated ? 2 : 1);
            var ranges = new ArrayList<CharacterSet.Range>();
            while (index < end) {
                if (index + 2 < end && pattern[index + 1] == '-') {
                    ranges.add(new CharacterSet.Range(pattern[index], pattern[index + 2]));
                    index += 3;
                } else {
                    ranges.add(new CharacterSet.Range(pattern[index], pattern[index]));
                    index++;
                }
            }
            steps.add(SET);
            sets.add(Optional.of(new CharacterSet(negated, List.copyOf(ranges))));
            position = end + 1;
        }
    }
}
