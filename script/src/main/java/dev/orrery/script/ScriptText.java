package dev.orrery.script;

import dev.orrery.engine.script.Script;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;

/** Turns the body of a script into something that evaluates to its function. */
final class ScriptText {
    /** Good enough to find a name: what looks like a comment in a string only hides a function behind it. */
    private static final Pattern COMMENTS = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);

    private static final Pattern FUNCTION =
            Pattern.compile("(?<![\\w$.])(?:async\\s+)?function\\s*\\*?\\s*([\\p{L}_$][\\w$]*)\\s*\\(");

    private ScriptText() {}

    /** A body is one function, or several of which the first is the one to run. */
    static Source read(Context context, Script script) {
        var body = script.body().strip();
        while (body.endsWith(";")) {
            body = body.substring(0, body.length() - 1).stripTrailing();
        }
        var asExpression = source(script, "(" + body + "\n)");
        try {
            context.parse(asExpression);
            return asExpression;
        } catch (PolyglotException refused) {
            if (!refused.isSyntaxError()) {
                throw refused;
            }
            var name = FUNCTION.matcher(COMMENTS.matcher(body).replaceAll(" "));
            if (!name.find()) {
                throw syntax(script, refused);
            }
            return asStatements(context, script, body, name.group(1));
        }
    }

    private static Source asStatements(Context context, Script script, String body, String name) {
        var source = source(script, "(function () { " + body + "\n;return " + name + ";})()");
        try {
            context.parse(source);
            return source;
        } catch (PolyglotException refused) {
            throw refused.isSyntaxError() ? syntax(script, refused) : refused;
        }
    }

    private static Source source(Script script, String text) {
        return Source.newBuilder("js", text, script.name() + ".js").buildLiteral();
    }

    private static FailureException syntax(Script script, PolyglotException problem) {
        return new FailureException(new Failure.ScriptSyntax(
                "The body of '" + script.name() + "' cannot be read as a function. " + problem.getMessage()));
    }
}
