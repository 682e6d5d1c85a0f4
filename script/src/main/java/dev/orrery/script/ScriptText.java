package dev.orrery.script;

import dev.orrery.model.FailureException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;

/**
 * The body of a script as something that evaluates to a function that gives its function, a new one at every call.
 *
 * @param changesRealm whether it names what changes to the world around it are made with, and so needs one of its own. That
 *     is a service to scripts which do so openly, not a guard: one that hides it finds a world that cannot be changed.
 */
record ScriptText(Source source, boolean changesRealm) {
    private static final String BUILT_IN =
            "\\b(?:Object|Function|Number|Boolean|Symbol|String|Date|RegExp|Promise|(?:Weak)?(?:Map|Set)|JSON|Math|Reflect|Intl"
                + "|Iterator|ArrayBuffer|DataView|[A-Z]?\\w{0,20}(?:Error|Array))\\b";

    /** None of these patterns may look at the same text again and again: a body may be made to keep them busy. */
    private static final Pattern CHANGING = Pattern.compile(BUILT_IN
            + "(?:\\s*\\.\\s*prototype\\b)?+(?:\\s*\\.\\s*[\\w$]++|\\s*\\[[^\\]]{0,500}\\])\\s*+(?:[-+*/%&|^]|\\?\\?|<<|>>)?=[^=]"
            + "|" + BUILT_IN + "\\s*\\.\\s*prototype\\s*+(?![.\\[])"
            + "|(?:definePropert(?:y|ies)|assign|setPrototypeOf)\\s*\\(\\s*" + BUILT_IN + "\\s*+[,.]"
            + "|\\bdelete\\s+" + BUILT_IN);

    /** Good enough to find a name: what looks like a comment in a string only hides a function behind it. */
    private static final Pattern COMMENTS = Pattern.compile("/\\*.*?(?:\\*/|\\z)|//[^\\n]*+", Pattern.DOTALL);

    private static final Pattern FUNCTION =
            Pattern.compile("(?<![\\w$.])(?:async\\s++)?function\\s*+(?:\\*\\s*+)?([\\p{L}_$][\\w$]*+)\\s*+\\(");

    private static final Pattern ANY_FUNCTION = Pattern.compile("(?<![\\w$.])function(?![\\w$])|=>");

    /**
     * A body is one function, or several of which the first that has a name is the one to run. Nothing of it runs here.
     *
     * @throws FailureException when it is neither
     */
    static ScriptText read(Context context, String name, String body) {
        var withoutComments = COMMENTS.matcher(body).replaceAll(" ");
        var source = ANY_FUNCTION.matcher(withoutComments).find()
                ? expression(context, name, body).or(() -> statements(context, name, body, withoutComments))
                : Optional.<Source>empty();
        return new ScriptText(
                source.orElseThrow(() -> SyntaxMistake.find(context, body)
                        .orElse(SyntaxMistake.NO_FUNCTION)
                        .refusal(name)),
                CHANGING.matcher(body).find());
    }

    private static Optional<Source> expression(Context context, String name, String body) {
        int end = body.length();
        while (end > 0 && (body.charAt(end - 1) == ';' || Character.isWhitespace(body.charAt(end - 1)))) {
            end--;
        }
        var alone = body.substring(0, end);
        // What can stand between brackets of two kinds closes neither, and so stays within what is put around it.
        return readable(context, name, "[" + alone + "\n]").isPresent()
                ? readable(context, name, "() => (" + alone + "\n)")
                : Optional.empty();
    }

    private static Optional<Source> statements(Context context, String name, String body, String withoutComments) {
        var function = FUNCTION.matcher(withoutComments);
        // What cannot stand alone must not be able to do so because of what is put around it.
        return function.find() && readable(context, name, body).isPresent()
                ? readable(context, name, "() => { " + body + "\n;return " + function.group(1) + ";}")
                : Optional.empty();
    }

    private static Optional<Source> readable(Context context, String name, String text) {
        var source = Source.newBuilder("js", text, name + ".js").buildLiteral();
        try {
            context.parse(source);
            return Optional.of(source);
        } catch (PolyglotException refused) {
            if (SyntaxMistake.isOne(refused)) {
                return Optional.empty();
            }
            throw refused;
        }
    }
}
