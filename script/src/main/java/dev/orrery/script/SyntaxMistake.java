package dev.orrery.script;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;

/**
 * What is wrong with the body of a script, and where in it.
 *
 * @param line from 1 on, 0 when the mistake has no place
 */
record SyntaxMistake(int line, int column, String reason) {
    static final SyntaxMistake NO_FUNCTION =
            new SyntaxMistake(0, 0, "It must be one function, or several with names, of which the first is run.");

    /** The parser puts the name of the source before what it has to say, and a picture of the line after it. */
    private static final Pattern REASON = Pattern.compile("^(?:SyntaxError: )?(?:body:\\d+:\\d+ )?([^\\r\\n]*)");

    private static final String AS_EXPRESSION = "x=";

    /** Of the two ways to read a body, the one that gets farther is the one that its author had in mind. */
    static Optional<SyntaxMistake> find(Context context, String body) {
        var mistakes = Stream.of("", AS_EXPRESSION)
                .map(before -> find(context, before, body))
                .toList();
        return mistakes.stream().allMatch(Optional::isPresent)
                ? mistakes.stream()
                        .flatMap(Optional::stream)
                        .max(Comparator.comparingInt(SyntaxMistake::line).thenComparingInt(SyntaxMistake::column))
                : Optional.empty();
    }

    private static Optional<SyntaxMistake> find(Context context, String before, String body) {
        try {
            context.parse(Source.newBuilder("js", before + body, "body").buildLiteral());
            return Optional.empty();
        } catch (PolyglotException refused) {
            if (refused.isResourceExhausted()) {
                return Optional.of(new SyntaxMistake(0, 0, "It is nested too deeply."));
            }
            if (!isOne(refused)) {
                throw refused;
            }
            var place = refused.getSourceLocation();
            int line = place == null ? 0 : place.getStartLine();
            int column = place == null ? 0 : place.getStartColumn() - (line == 1 ? before.length() : 0);
            return Optional.of(new SyntaxMistake(line, column, reason(refused.getMessage())));
        }
    }

    private static String reason(String message) {
        var reason = REASON.matcher(message);
        return reason.find() ? reason.group(1) : message;
    }

    /** Deep nesting uses up the stack of the parser, which says so and is as good as before. */
    static boolean isOne(PolyglotException refused) {
        return refused.isSyntaxError() || (refused.isResourceExhausted() && !refused.isCancelled());
    }

    FailureException refusal(String script) {
        var place = line == 0 ? "" : " Line " + line + ", column " + column + ":";
        return new FailureException(new Failure.ScriptSyntax(
                "The body of '" + script + "' cannot be read as a function." + place + " " + reason));
    }
}
