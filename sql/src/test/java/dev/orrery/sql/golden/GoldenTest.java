package dev.orrery.sql.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.Query;
import dev.orrery.sql.run.Position;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Replays the transcripts of the query language; {@code -Dgolden.update=true} writes what comes out into them. */
class GoldenTest {
    @TestFactory
    Stream<DynamicTest> everyTranscriptReplays() {
        return replays(GoldenTest::rows, Boolean.getBoolean("golden.update"));
    }

    @TestFactory
    Stream<DynamicTest> everyTranscriptReplaysWithAPauseAfterEveryRow() {
        return replays(GoldenTest::rowsOneByOne, false);
    }

    private static Stream<DynamicTest> replays(Function<Transcript.Statement, List<JsonValue>> runner, boolean update) {
        return GoldenCorpus.files().stream()
                .map(file -> DynamicTest.dynamicTest(
                        GoldenCorpus.DIRECTORY.relativize(file).toString(), () -> replay(file, runner, update)));
    }

    @Test
    void theCorpusIsFound() {
        assertThat(GoldenCorpus.statements()).hasSizeGreaterThan(900);
    }

    private static void replay(Path file, Function<Transcript.Statement, List<JsonValue>> runner, boolean update)
            throws IOException {
        var actual = GoldenCorpus.transcript(file).replay(statement -> print(statement, runner));
        if (update) {
            Files.writeString(file, actual);
        } else {
            assertThat(actual).isEqualTo(Files.readString(file));
        }
    }

    private static List<String> print(
            Transcript.Statement statement, Function<Transcript.Statement, List<JsonValue>> runner) {
        try {
            var rows = runner.apply(statement).stream().map(JsonWriter::text).toList();
            return rows.isEmpty() ? List.of("(no rows)") : rows;
        } catch (FailureException refusal) {
            return List.of(GoldenCorpus.print(refusal.failure()));
        }
    }

    private static List<JsonValue> rows(Transcript.Statement statement) {
        return GoldenCorpus.rows(statement.query(), GoldenCorpus.inputs(statement), statement.items(), 0);
    }

    /** Runs a streaming query as a server does whose pages have one row, with nothing kept between them but a position. */
    private static List<JsonValue> rowsOneByOne(Transcript.Statement statement) {
        var query = statement.query();
        if (query.shape() != Query.Shape.STREAMING) {
            return rows(statement);
        }
        var rows = new ArrayList<JsonValue>();
        var position = Position.START;
        var next = 0;
        while (true) {
            var before = rows.size();
            var run = query.resume(GoldenCorpus.inputs(statement), position, row -> {
                rows.add(row);
                return false;
            });
            while (run.wantsItems() && next < statement.items().size()) {
                if (run.add(statement.items().get(next), next)) {
                    next++;
                }
            }
            if (rows.size() == before) {
                return rows;
            }
            position = run.position();
        }
    }
}
