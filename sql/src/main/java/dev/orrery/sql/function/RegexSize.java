package dev.orrery.sql.function;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import java.util.ArrayDeque;

/**
 * How many steps a regular expression has once its repetitions are written out: {@code ((a{1000}){1000}){1000}} has a
 * thousand million, and each takes memory. Counts rather too many than too few.
 */
final class RegexSize {
    /** A class such as that of all letters is a long list of ranges. */
    private static final int CLASS_STEPS = 20;

    private final String pattern;
    private final ArrayDeque<Long> outer = new ArrayDeque<>();
    private long before;
    private long last;
    private int at;

    private RegexSize(String pattern) {
        this.pattern = pattern;
    }

    /** The number of steps, which is refused when it is too large. */
    static long demanded(String pattern) {
        long steps = new RegexSize(pattern).steps();
        if (steps > Limits.QUERY_PATTERN_STEPS_MAX) {
            throw tooLarge();
        }
        return steps;
    }

    static FailureException tooLarge() {
        return new FailureException(
                new Failure.BadRequest("A regular expression has more than " + Limits.QUERY_PATTERN_STEPS_MAX
                        + " steps once its repetitions are written out, or is nested too deep."));
    }

    private long steps() {
        while (at < pattern.length() && before + last <= Limits.QUERY_PATTERN_STEPS_MAX) {
            switch (pattern.charAt(at++)) {
                case '(' -> {
                    next(0);
                    outer.push(before);
                    before = 0;
                }
                case ')' -> {
                    long inside = before + last + 2;
                    before = outer.isEmpty() ? 0 : outer.pop();
                    last = inside;
                }
                case '{' -> repeat();
                case '*', '+', '?' -> last++;
                case '\\' -> escape();
                default -> next(1);
            }
        }
        return outer.stream().mapToLong(Long::longValue).sum() + before + last;
    }

    private void next(long steps) {
        before += last;
        last = steps;
    }

    private void escape() {
        boolean isClass = at < pattern.length() && "pP".indexOf(pattern.charAt(at)) >= 0;
        at++;
        next(isClass ? CLASS_STEPS : 1);
    }

    /** What stands before it is there as often as the larger of its numbers says. */
    private void repeat() {
        int end = pattern.indexOf('}', at);
        long most = 0;
        if (end >= 0) {
            for (var number : pattern.substring(at, end).split(",", -1)) {
                most = Math.max(most, number(number));
            }
        }
        if (most > 0) {
            last = Math.min(Limits.QUERY_PATTERN_STEPS_MAX + 1L, last * most);
            at = end + 1;
        } else {
            next(1);
        }
    }

    private static long number(String text) {
        return text.length() <= 4 && !text.isEmpty() && text.chars().allMatch(digit -> digit >= '0' && digit <= '9')
                ? Long.parseLong(text)
                : 0;
    }
}
