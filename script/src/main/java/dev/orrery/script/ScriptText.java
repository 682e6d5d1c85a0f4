package dev.orrery.script;

import dev.orrery.engine.script.Script;
import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;

/**
 * The body of a script as something that evaluates to its function.
 *
 * @param minglesWithRealm whether it names what changes to the world around it are made with, so that a realm in which it
 *     has run is good for nothing else. What hides from this look is still kept from other scripts, and from new globals.
 */
record ScriptText(Source source, boolean minglesWithRealm) {
    private static final Pattern MINGLING = Pattern.compile(
            "prototype|__proto__|constructor|definePropert|[sg]etPrototypeOf|globalThis|\\beval\\b|\\bFunction\\b"
                + "|\\bReflect\\b|\\bassign\\b|getCollection\\(\\)\\s*[.\\[][^;]*[^=!<>]=[^=>]"
                + "|\\b(?:[A-Z]\\w*|getContext)\\s*(?:\\.\\s*[\\w$]+|\\[[^\\]]*\\])\\s*(?:[-+*/%&|^]|\\?\\?|<<|>>)?=[^=]"
                + "|\\bdelete\\s+[A-Z]");

    /** Good enough to find a name: what looks like a comment in a string only hides a function behind it. */
    private static final Pattern COMMENTS = Pattern.compile("/\\*.*?\\*/|//[^\\n]*", Pattern.DOTALL);

    private static final Pattern FUNCTION =
            Pattern.compile("(?<![\\w$.])(?:async\\s+)?function\\s*\\*?\\s*([\\p{L}_$][\\w$]*)\\s*\\(");

    /** A body is one function, or several of which the first is the one to run. */
    static ScriptText read(Context context, Script script) {
        return new ScriptText(
                source(context, script), MINGLING.matcher(script.body()).find());
    }

    private static Source source(Context context, Script script) {
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
