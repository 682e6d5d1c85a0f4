package dev.orrery.engine.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.TestDatabase;
import dev.orrery.engine.key.Epochs;
import dev.orrery.engine.key.KeySpace;
import dev.orrery.engine.replica.RangeId;
import dev.orrery.engine.replica.RangeNews;
import dev.orrery.model.Limits;
import dev.orrery.store.Await;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long the log of a range is kept for those who still have to read it. */
class LogTrimTest {
    private static final long LONG_SECONDS = 1_000_000;

    @Test
    void whatANamedReaderHasNotReadIsKeptForHim() {
        try (var database = TestDatabase.withContainer()) {
            write(database, 5);
            long read = lsn(database);
            keepLog(database, "north", read);
            write(database, 5);
            trimLater(database);

            assertThat(forgottenLsn(database)).isEqualTo(read);
            assertThat(database.rowsOf(KeySpace.LOG))
                    .as("what he lacks, and the items")
                    .isEqualTo(5 + 1);
            assertThat(database.rowsOf(KeySpace.VERSION)).as("versions between").isEqualTo(5);

            keepLog(database, "north", lsn(database));
            trimLater(database);
            assertThat(forgottenLsn(database)).isEqualTo(lsn(database));
            assertThat(database.rowsOf(KeySpace.LOG)).isEqualTo(1);
            assertThat(database.rowsOf(KeySpace.VERSION)).isZero();
        }
    }

    @Test
    void aReaderWhoIsTooFarBehindKeepsNothing() {
        try (var database = TestDatabase.withContainer()) {
            write(database, 5);
            keepLog(database, "lost", lsn(database));
            write(database, 5);
            passLsns(database, Limits.LOG_KEPT_CHANGES_MAX);
            trimLater(database);

            assertThat(database.rowsOf(KeySpace.LOG)).isEqualTo(1);
            assertThat(database.rowsOf(KeySpace.VERSION)).isZero();
        }
    }

    @Test
    void theGapBetweenTwoEpochsIsNoReasonToLetGoOfAReader() {
        try (var database = TestDatabase.withContainer()) {
            write(database, 5);
            long read = lsn(database);
            keepLog(database, "north", read);
            database.replica().stepUp(2);
            write(database, 5);
            trimLater(database);

            assertThat(forgottenLsn(database)).isEqualTo(read);
            assertThat(database.rowsOf(KeySpace.VERSION)).isEqualTo(5);
        }
    }

    /** What a reader has said is forgotten at a restart, and the log is as short as without him: he begins anew. */
    @Test
    void aReaderWhoDoesNotComeBackAfterARestartKeepsNothing() {
        try (var database = TestDatabase.withContainer()) {
            write(database, 5);
            keepLog(database, "north", lsn(database));
            write(database, 5);
            database.reopen();
            trimLater(database);

            assertThat(forgottenLsn(database)).isEqualTo(lsn(database));
        }
    }

    @Test
    void whatIsSettledIsKeptUntilClientsAreToldAlsoWhenNobodyHasSaidAnythingSinceTheStart() {
        try (var source = TestDatabase.withContainer();
                var region = TestDatabase.empty()) {
            var here = region.replica();
            here.follow(source.replica().catalogAfter(here.catalogVersion()));
            var fronts = region.writeInAllRegions();
            region.readItem("p", "any"); // Opens what clients write to while nothing is settled.
            write(source, 5);
            here.apply(source.replica()
                            .newsAfter(range(source), Epochs.NONE, lsn(region), Long.MAX_VALUE)
                            .orElseThrow())
                    .join();
            trimLater(region);
            assertThat(forgottenLsn(region)).isZero();

            fronts.start((range, lsn) -> true, () -> {});
            Await.until("clients are told what is settled", () -> {
                trimLater(region);
                return forgottenLsn(region) == lsn(region);
            });
            fronts.close();
        }
    }

    /** Versions of one item. */
    private static void write(TestDatabase database, int versions) {
        for (int i = 0; i < versions; i++) {
            database.upsertItem("p", "{\"id\":\"i\",\"pk\":\"p\",\"n\":%d}".formatted(i));
        }
    }

    private static void trimLater(TestDatabase database) {
        database.passSeconds(LONG_SECONDS);
        database.trimLogs();
    }

    private static void keepLog(TestDatabase database, String reader, long lsn) {
        var range = range(database);
        database.replica()
                .keepLog(reader, range, database.replica().epochs(range).last(), lsn);
    }

    /** As if so many changes had been made that left nothing behind. */
    private static void passLsns(TestDatabase database, long count) {
        var range = range(database);
        long lsn = lsn(database) + count;
        var none = new Shipment(List.of(), lsn, 0, 0);
        database.replica()
                .apply(new RangeNews(range, Epochs.EMPTY, lsn, 0, 0, none, Long.MAX_VALUE))
                .join();
    }

    private static long forgottenLsn(TestDatabase database) {
        var range = range(database);
        return database.replica()
                .newsAfter(range, Epochs.NONE, 0, 1)
                .orElseThrow()
                .forgottenLsn();
    }

    private static long lsn(TestDatabase database) {
        return database.replica().lsn(range(database));
    }

    private static RangeId range(TestDatabase database) {
        return database.replica().ranges().getFirst();
    }
}
