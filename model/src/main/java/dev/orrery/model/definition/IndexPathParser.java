package dev.orrery.model.definition;

import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.definition.IndexPath.Ending;
import dev.orrery.model.definition.IndexPath.Step;
import java.util.ArrayList;
import java.util.List;

/** Reads the text of one index path and names the character where it goes wrong. */
final class IndexPathParser {
    private static final String NAME_RULE =
            "parts are separated by /, and a name of more than letters, digits and _ stands in double quotes";
    private static final char END = '\0';
    private static final int POSITION_DIGITS_MAX = 9;

    private final String place;
    private final String text;
    private int at;

    IndexPathParser(String place, String text) {
        this.place = place;
        this.text = text;
    }

    IndexPath parse() {
        if (text.length() > Limits.PATH_CHARACTERS_MAX) {
            throw MemberReader.refusalAt(
                    place, "has a path longer than " + Limits.PATH_CHARACTERS_MAX + " characters.");
        }
        var steps = new ArrayList<Step>();
        var ending = Ending.NONE;
        do {
            take('/', steps.isEmpty() ? "a path starts with /" : NAME_RULE);
            if (current() == '?' || current() == '*') {
                ending = current() == '?' ? Ending.SCALAR : Ending.SUBTREE;
                at++;
                break;
            }
            steps.add(current() == '{' ? tuple(steps) : step());
        } while (current() != END);
        if (current() != END) {
            throw refusal("? and * may only stand at the end");
        }
        if (steps.size() > Limits.NESTING_DEPTH_MAX) {
            throw refusal("a path may have " + Limits.NESTING_DEPTH_MAX + " parts at most");
        }
        if (steps.isEmpty() && ending != Ending.SUBTREE) {
            throw refusal("only /* may stand for the item itself");
        }
        var path = new IndexPath(text, steps, ending);
        if (path.isTuple() && ending != Ending.SCALAR) {
            throw refusal("a tuple must be followed by /?");
        }
        return path;
    }

    private Step step() {
        return switch (current()) {
            case '[' -> position();
            case '"', '\'' -> new Step.Property(quoted());
            default -> new Step.Property(label());
        };
    }

    private Step position() {
        take('[', "an array position starts with [");
        int from = at;
        while (Character.isDigit(current())) {
            at++;
        }
        var digits = text.substring(from, at);
        if (digits.length() > POSITION_DIGITS_MAX) {
            throw refusal("an array position has " + POSITION_DIGITS_MAX + " digits at most");
        }
        take(']', "an array position is written [] for all elements or [n] for one");
        return digits.isEmpty() ? new Step.AnyPosition() : new Step.Position(Integer.parseInt(digits));
    }

    private String quoted() {
        char quote = current();
        at++;
        var name = new StringBuilder();
        while (current() != quote) {
            if (current() == END) {
                throw refusal("the quote is not closed");
            }
            if (current() == '\\') {
                at++;
            }
            name.append(current());
            at++;
        }
        at++;
        return name.toString();
    }

    private String label() {
        int from = at;
        while (Character.isLetterOrDigit(current()) || current() == '_') {
            at++;
        }
        if (at == from) {
            throw refusal(NAME_RULE);
        }
        return text.substring(from, at);
    }

    /** <code>{a, b/c}</code>, which stands behind the only {@code []} of its path. */
    private Step tuple(List<Step> before) {
        if (before.isEmpty() || !(before.getLast() instanceof Step.AnyPosition)) {
            throw refusal("a tuple must stand behind []");
        }
        if (before.stream().filter(Step.AnyPosition.class::isInstance).count() > 1) {
            throw refusal("the path of a tuple may contain [] only once");
        }
        take('{', "a tuple starts with {");
        var fields = new ArrayList<List<Step>>();
        fields.add(field());
        while (current() == ',') {
            at++;
            fields.add(field());
        }
        take('}', "the parts of a tuple are separated by , and end with }");
        if (current() != '/') {
            throw refusal("a tuple must be followed by /?");
        }
        return new Step.Tuple(fields);
    }

    private List<Step> field() {
        skipSpaces();
        var steps = new ArrayList<Step>();
        steps.add(fieldStep());
        while (current() == '/') {
            at++;
            steps.add(fieldStep());
        }
        skipSpaces();
        return List.copyOf(steps);
    }

    private Step fieldStep() {
        var step = step();
        if (step instanceof Step.AnyPosition) {
            throw refusal("the parts of a tuple may not contain []");
        }
        return step;
    }

    private void skipSpaces() {
        while (current() == ' ') {
            at++;
        }
    }

    private void take(char expected, String rule) {
        if (current() != expected) {
            throw refusal(rule);
        }
        at++;
    }

    private char current() {
        return at < text.length() ? text.charAt(at) : END;
    }

    private FailureException refusal(String rule) {
        return MemberReader.refusalAt(
                place, "is '" + text + "', which goes wrong at character " + (at + 1) + ": " + rule + ".");
    }
}
