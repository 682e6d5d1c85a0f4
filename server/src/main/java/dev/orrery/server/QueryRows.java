package dev.orrery.server;

import dev.orrery.gateway.client.QueryClient;
import dev.orrery.gateway.client.QueryClient.BillLine;
import dev.orrery.gateway.client.QueryClient.Question;
import dev.orrery.gateway.client.QueryClient.Reply;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import java.io.IOException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The rows of one query, fetched page by page, and what they have cost so far. */
final class QueryRows {
    private static final int PAGE_ROWS = 1_000;

    private final QueryClient client;
    private final Question question;
    private final int rowsMax;
    private int rows;
    private int pages;
    private double charge;
    private long itemsRead;
    private long bytesRead;
    private long entriesRead;
    private double millis;
    private boolean more;
    private Optional<Obj> explanation = Optional.empty();
    private final Map<String, BillLine> bill = new LinkedHashMap<>();

    QueryRows(QueryClient client, Question question, int rowsMax) {
        this.client = client;
        this.question = question;
        this.rowsMax = rowsMax;
    }

    void readAll() throws IOException, InterruptedException {
        forEachRow(_ -> true);
    }

    /** Hands out rows until there are no more, enough of them, or nobody takes them. */
    void forEachRow(Predicate<JsonValue> taker) throws IOException, InterruptedException {
        Optional<String> continuation = Optional.empty();
        boolean wanted = true;
        do {
            var page = page(continuation);
            for (var row : page.rows()) {
                wanted = wanted && taker.test(row);
            }
            rows += page.rows().size();
            continuation = page.continuation();
            more = continuation.isPresent();
        } while (more && wanted && rows < rowsMax);
    }

    private Reply.Page page(Optional<String> continuation) throws IOException, InterruptedException {
        return switch (client.ask(question, Math.min(PAGE_ROWS, rowsMax - rows), continuation)) {
            case Reply.Page page -> {
                pages++;
                charge += page.cost().charge();
                itemsRead += page.cost().itemsRead();
                bytesRead += page.cost().bytesRead();
                millis += page.cost().millis();
                entriesRead += page.explanation().map(QueryReport::entries).orElse(0L);
                explanation = explanation.or(page::explanation);
                page.bill().forEach(line -> bill.merge(line.what(), line, BillLine::plus));
                yield page;
            }
            case Reply.Refused refused -> throw new UserError(QueryRefusal.text(question, refused));
        };
    }

    int rows() {
        return rows;
    }

    int pages() {
        return pages;
    }

    double charge() {
        return charge;
    }

    long itemsRead() {
        return itemsRead;
    }

    long bytesRead() {
        return bytesRead;
    }

    long entriesRead() {
        return entriesRead;
    }

    double millis() {
        return millis;
    }

    /** Whether there are rows that were not asked for. */
    boolean hasMore() {
        return more;
    }

    /** What the charge is made of; empty unless the question asks for an explanation. */
    Collection<BillLine> bill() {
        return bill.values();
    }

    Optional<Obj> explanation() {
        return explanation;
    }
}
