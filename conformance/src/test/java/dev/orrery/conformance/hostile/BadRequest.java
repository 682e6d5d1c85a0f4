package dev.orrery.conformance.hostile;

import dev.orrery.conformance.server.OrreryServer;
import dev.orrery.conformance.wire.Signature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One entry of the tables of bad requests; {@code bad-requests.http} tells their form.
 *
 * @param lines directives, request line, headers, an empty line and the body
 * @param answers what is allowed, each as status or status/substatus
 */
record BadRequest(String name, List<String> lines, List<String> answers) {
    private static final Pattern REPEATED = Pattern.compile("<<(.+?)\\*(\\d+)>>");
    private static final Pattern BYTE = Pattern.compile("\\\\x([0-9a-f]{2})");
    private static final Pattern SIGNED = Pattern.compile("\\{signed (\\S+) (\\S+)(?: on (.*))?}");

    static List<BadRequest> table(String resource) {
        var cases = new ArrayList<BadRequest>();
        for (var block : read(resource).split("(?m)^== ", -1)) {
            var lines = Arrays.asList(block.split("\n", -1));
            var answer = lines.stream().filter(line -> line.startsWith("-> ")).findFirst();
            answer.ifPresent(line -> cases.add(new BadRequest(
                    lines.getFirst(),
                    lines.subList(1, lines.indexOf(line)),
                    List.of(line.substring(3).split("\\|", -1)))));
        }
        return cases;
    }

    /** The bytes to send, signed now. */
    byte[] bytes(int port) {
        var directive = lines.getFirst().startsWith("@") ? lines.getFirst() : "";
        var request = directive.isEmpty() ? lines : lines.subList(1, lines.size());
        var text = directive.equals("@raw") ? raw(request) : whole(directive, request, port);
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String raw(List<String> lines) {
        return SIGNED.matcher(expanded(String.join("\r\n", lines)) + "\r\n")
                .replaceAll(match -> Matcher.quoteReplacement(signed(match)));
    }

    private static String signed(MatchResult match) {
        var date = match.group(3) == null ? Signature.date(Instant.now()) : match.group(3);
        return authorization(match.group(1), match.group(2), date);
    }

    private static String whole(String directive, List<String> lines, int port) {
        var end = lines.indexOf("");
        var head = end < 0 ? lines : lines.subList(0, end);
        var body = end < 0 ? "" : expanded(String.join("\n", lines.subList(end + 1, lines.size())));
        var requestLine = head.getFirst().split(" ", 2);
        var text = new StringBuilder(expanded(head.getFirst())).append(" HTTP/1.1\r\n");
        text.append("Host: localhost:").append(port).append("\r\n");
        text.append("Content-Length: ").append(body.length()).append("\r\n");
        text.append(credentials(directive, requestLine[0], requestLine[1]));
        head.stream().skip(1).forEach(header -> text.append(expanded(header)).append("\r\n"));
        return text.append("\r\n").append(body).toString();
    }

    private static String credentials(String directive, String method, String path) {
        var now = Signature.date(Instant.now());
        return switch (directive.split(" ", 2)[0]) {
            case "" -> authorization(method, path, now) + "\r\n";
            case "@unsigned" -> "";
            case "@authorization" ->
                "x-ms-date: " + now + "\r\nauthorization: " + directive.substring("@authorization ".length()) + "\r\n";
            case "@date" -> {
                var skew = Duration.ofMinutes(Long.parseLong(directive.substring("@date ".length())));
                yield authorization(method, path, Signature.date(Instant.now().plus(skew))) + "\r\n";
            }
            default -> throw new IllegalArgumentException(directive);
        };
    }

    private static String authorization(String method, String path, String date) {
        var token = Signature.ofNames(OrreryServer.WELL_KNOWN_KEY, method, path, date);
        return (date.isEmpty() ? "" : "x-ms-date: " + date + "\r\n") + "authorization: " + token;
    }

    private static String expanded(String text) {
        var repeated = REPEATED.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(match.group(1).repeat(Integer.parseInt(match.group(2)))));
        return BYTE.matcher(repeated)
                .replaceAll(
                        match -> Matcher.quoteReplacement(Character.toString(Integer.parseInt(match.group(1), 16))));
    }

    /** The file with one character per byte, which is how requests are put together here. */
    private static String read(String resource) {
        try (var file = BadRequest.class.getResourceAsStream("/hostile/" + resource)) {
            return new String(file.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
