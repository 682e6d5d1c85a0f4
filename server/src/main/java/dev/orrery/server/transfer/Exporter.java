package dev.orrery.server.transfer;

import dev.orrery.gateway.client.QueryClient;
import dev.orrery.gateway.client.QueryClient.Question;
import dev.orrery.gateway.client.QueryClient.Reply;
import dev.orrery.model.json.JsonWriter;
import java.io.IOException;
import java.util.Optional;
import java.util.function.LongConsumer;

/** Writes the rows of a query, one page of them at a time. */
public final class Exporter {
    /** How it ended: with a refusal nothing that was written is of use. */
    public record Outcome(long rows, Optional<Reply.Refused> refused) {}

    private final QueryClient client;
    private final Question question;
    private final boolean systemProperties;

    public Exporter(QueryClient client, Question question, boolean systemProperties) {
        this.client = client;
        this.question = question;
        this.systemProperties = systemProperties;
    }

    /** Tells now and then how many rows are written. */
    public Outcome run(RowWriter writer, LongConsumer progress) throws IOException, InterruptedException {
        var pages = new Pages(client, question);
        var text = new JsonWriter();
        long rows = 0;
        for (var reply = pages.next(); reply.isPresent(); reply = pages.next()) {
            switch (reply.get()) {
                case Reply.Refused refused -> {
                    return new Outcome(rows, Optional.of(refused));
                }
                case Reply.Page page -> {
                    for (var row : page.rows()) {
                        RowText.write(row, systemProperties || !RowText.isWholeItem(row), text.reset());
                        writer.write(text);
                    }
                    rows += page.rows().size();
                    progress.accept(rows);
                }
            }
        }
        writer.finish();
        return new Outcome(rows, Optional.empty());
    }
}
