package dev.orrery.server;

import dev.orrery.gateway.client.QueryClient.Mistake;
import dev.orrery.gateway.client.QueryClient.Question;
import dev.orrery.gateway.client.QueryClient.Reply;

/** Tells a person why a query was refused, and points at the place if there is one. */
final class QueryRefusal {
    private QueryRefusal() {}

    static String text(Question question, Reply.Refused refused) {
        if (refused.mistake().isPresent()) {
            var mistake = refused.mistake().get();
            return mistake.message() + "\n\n" + picture(question.text(), mistake);
        }
        return text(question.database(), question.container(), refused.status(), refused.message());
    }

    static String text(String database, String container, int status, String message) {
        return switch (status) {
            case 401 -> "The server does not accept this key. Give the right one with --key or in ORRERY_KEY.";
            case 404 -> "There is no container '" + container + "' in a database '" + database + "'.";
            default -> message + " (status " + status + ")";
        };
    }

    /** The line with the mistake, and carets under it. */
    private static String picture(String text, Mistake mistake) {
        int start = Math.min(mistake.start(), text.length());
        int lineStart = text.lastIndexOf('\n', start - 1) + 1;
        int newline = text.indexOf('\n', start);
        int lineEnd = newline < 0 ? text.length() : newline;
        var line = text.substring(lineStart, lineEnd).replace('\t', ' ').stripTrailing();
        int marked = Math.max(start, Math.min(mistake.end(), lineEnd));
        int before = TextWidth.of(text.substring(lineStart, start));
        int width = Math.max(1, TextWidth.of(text.substring(start, marked)));
        return "  " + line + "\n  " + " ".repeat(before) + "^".repeat(width);
    }
}
