package dev.orrery.bench.changes;

import dev.orrery.bench.harness.BenchException;
import dev.orrery.bench.harness.KeepAliveConnection;
import dev.orrery.bench.harness.Requests;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the latest versions of one range of a container page by page, as SDKs pull them, on a connection that others use as well. */
final class RangeChanges {
    private static final int ITEMS_MAX = 1_000;
    private static final int OK = 200;
    private static final int NOT_MODIFIED = 304;
    private static final String COUNT = "\"_count\":";
    private static final Pattern RANGE = Pattern.compile("\"id\":\"(\\d+)\"");

    /** Where a reader starts. */
    enum Start {
        BEGINNING,
        NOW
    }

    private final KeepAliveConnection connection;
    private final Requests requests;
    private final String containerLink;
    private final String range;
    private String place;

    private RangeChanges(
            KeepAliveConnection connection, Requests requests, String containerLink, String range, Start start) {
        this.connection = connection;
        this.requests = requests;
        this.containerLink = containerLink;
        this.range = range;
        this.place = switch (start) {
            case BEGINNING -> "";
            case NOW -> "*";
        };
    }

    /** Of all ranges of a container. */
    static List<RangeChanges> open(
            KeepAliveConnection connection, Requests requests, String containerLink, Start start) {
        var ranges = new ArrayList<RangeChanges>();
        var found = RANGE.matcher(
                connection.demand(requests.list("pkranges", containerLink, "")).body());
        while (found.find()) {
            ranges.add(new RangeChanges(connection, requests, containerLink, found.group(1), start));
        }
        if (ranges.isEmpty()) {
            throw new BenchException(containerLink + " has no ranges.");
        }
        return ranges;
    }

    /** The next page as it came, empty when there is nothing new. */
    String next() {
        var reply = connection.send(requests.list("docs", containerLink, headers()));
        if ((reply.status() != OK && reply.status() != NOT_MODIFIED)
                || reply.etag().isEmpty()) {
            throw new BenchException("Changes were answered with " + reply.status() + ": " + reply.body());
        }
        place = reply.etag();
        return reply.status() == OK ? reply.body() : "";
    }

    /** How many items are on a page. */
    static int count(String page) {
        int start = page.lastIndexOf(COUNT) + COUNT.length();
        int end = start;
        while (Character.isDigit(page.charAt(end))) {
            end++;
        }
        return Integer.parseInt(page, start, end, 10);
    }

    private String headers() {
        return "A-IM: Incremental Feed\r\n"
                + "x-ms-documentdb-partitionkeyrangeid: " + range + "\r\n"
                + "x-ms-max-item-count: " + ITEMS_MAX + "\r\n"
                + (place.isEmpty() ? "" : "If-None-Match: " + place + "\r\n");
    }
}
