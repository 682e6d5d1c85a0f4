package dev.orrery.checker;

import static dev.orrery.checker.Histories.X;
import static dev.orrery.checker.Histories.history;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.orrery.store.Seed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PromisesTest {
    private static final String Y = "y";
    private static final long NO_AGE = Long.MAX_VALUE / 2;
    private static final int ROUNDS = 5_000;

    /** Three versions of one item. */
    private static final Log ABC = new Log(List.of(Version.of(X, "a"), Version.of(X, "b"), Version.of(X, "c")));

    /** One item, then another, then the first again. */
    private static final Log TWO = new Log(List.of(Version.of(X, "a"), Version.of(Y, "b"), Version.of(X, "c")));

    @Test
    void aSessionSeesWhatItHasWrittenOrLater() {
        var history = history().write(1, 0, 1, "b").read(1, 2, 3, "b").read(1, 4, 5, "c");
        assertThat(on(ABC, history).readYourWrites()).isEmpty();
        assertThat(on(ABC, history.read(1, 6, 7, "a")).readYourWrites()).hasSize(1);
    }

    @Test
    void anotherSessionNeedNotSeeIt() {
        assertThat(on(ABC, history().write(1, 0, 1, "b").read(2, 2, 3, "a")).readYourWrites())
                .isEmpty();
    }

    @Test
    void aWriteThatWasNotAcknowledgedNeedNotBeSeen() {
        assertThat(on(ABC, history().maybe(1, 0, 1, "b").read(1, 2, 3, "a")).readYourWrites())
                .isEmpty();
    }

    @Test
    void aReadThatRunsWhileItsSessionWritesNeedNotSeeIt() {
        assertThat(on(ABC, history().write(1, 0, 5, "b").read(1, 2, 6, "a")).readYourWrites())
                .isEmpty();
    }

    @Test
    void aReadOfOneItemTellsOfTheOthers() {
        // Whoever sees y = b sees a place after x = a.
        var seen = history().query(1, 0, 1, Map.of(Y, Optional.of("b"))).nothing(1, 2, 3);
        assertThat(on(TWO, seen).monotonicReads()).hasSize(1);
    }

    @Test
    void aSessionNeverGoesBack() {
        var history = history().read(1, 0, 1, "a").read(1, 2, 3, "b").read(2, 4, 5, "a");
        assertThat(on(ABC, history).monotonicReads()).isEmpty();
        assertThat(on(ABC, history.read(1, 6, 7, "a")).monotonicReads()).hasSize(1);
    }

    @Test
    void readsAtTheSameTimeMayComeInAnyOrder() {
        assertThat(on(ABC, history().read(1, 0, 9, "b").read(1, 2, 5, "a")).monotonicReads())
                .isEmpty();
    }

    @Test
    void writesOfASessionKeepTheirOrder() {
        assertThat(on(ABC, history().write(1, 0, 1, "a").write(1, 2, 3, "c")).monotonicWrites())
                .isEmpty();
        assertThat(on(ABC, history().write(1, 0, 1, "c").write(1, 2, 3, "a")).monotonicWrites())
                .hasSize(1);
        assertThat(on(ABC, history().write(1, 0, 1, "c").write(2, 2, 3, "a")).monotonicWrites())
                .isEmpty();
        // It was given up, and so may happen after what its session did then.
        assertThat(on(ABC, history().maybe(1, 0, 1, "c").write(1, 2, 3, "a")).monotonicWrites())
                .isEmpty();
    }

    @Test
    void nobodySeesALaterWriteWithoutTheEarlier() {
        var b = Optional.of("b");
        var prefix = history().query(1, 0, 1, Map.of(X, Optional.of("a"), Y, b));
        assertThat(on(TWO, prefix).consistentPrefix()).isEmpty();
        var gap = history().query(1, 0, 1, Map.of(X, Optional.empty(), Y, b));
        assertThat(on(TWO, gap).consistentPrefix()).hasSize(1);
        var torn = history().query(1, 0, 1, Map.of(X, Optional.of("c"), Y, Optional.empty()));
        assertThat(on(TWO, torn).consistentPrefix()).hasSize(1);
        assertThat(on(TWO, history().read(1, 0, 1, "never")).consistentPrefix()).hasSize(1);
    }

    @Test
    void aReadLagsByAFewVersionsAtMost() {
        var written = history().write(1, 0, 1, "a").write(1, 2, 3, "b").write(1, 4, 5, "c");
        var stale = on(ABC, written.read(2, 6, 7, "a"));
        assertThat(stale.boundedStaleness(2, NO_AGE)).isEmpty();
        assertThat(stale.boundedStaleness(1, NO_AGE)).hasSize(1);
    }

    @Test
    void aReadLagsByATimeAtMost() {
        var written = history().write(1, 0, 1, "a").write(1, 2, 3, "b").write(1, 4, 5, "c");
        var stale = on(ABC, written.read(2, 10, 11, "a"));
        assertThat(stale.boundedStaleness(100, 7)).isEmpty();
        assertThat(stale.boundedStaleness(100, 6)).hasSize(1);
    }

    @Test
    void whatIsNotAcknowledgedYetIsNotStale() {
        var writing = history()
                .write(1, 0, 9, "a")
                .write(1, 10, 20, "b")
                .nothing(2, 5, 6)
                .read(2, 15, 16, "a");
        assertThat(on(ABC, writing).boundedStaleness(0, 0)).isEmpty();
    }

    @Test
    void theLogHasWhatWasAcknowledgedAndNothingElse() {
        assertThat(on(ABC, history().write(1, 0, 1, "a").write(1, 2, 3, "b").maybe(1, 4, 5, "c"))
                        .nothingLost())
                .isEmpty();
        assertThat(on(ABC, history().write(1, 0, 1, "a").write(1, 2, 3, "b").write(1, 4, 5, "d"))
                        .nothingLost())
                .extracting(Violation::promise)
                .containsExactly("nothing lost", "nothing invented");
    }

    @Test
    void aLogNamesNoVersionTwice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Log(List.of(Version.of(X, "a"), Version.of(X, "a"))))
                .withMessage("a version is there twice: x = a");
    }

    /** Every promise, against a search through all places that the reads of a random history may come from. */
    @Test
    void promisesAreJudgedAsAllPlacesTriedOneByOneDo() {
        var random = Seed.random();
        var broken = new HashMap<String, Integer>();
        for (int round = 0; round < ROUNDS; round++) {
            var log = randomLog(random);
            var history = randomHistory(random, log);
            var promises = new Promises(new Log(log), history);
            var search = new PlacesTriedOneByOne(log, history);
            int versions = random.nextInt(3);
            long age = random.nextInt(12);
            Map<String, Predicate<int[]>> wanted = Map.of(
                    "prefix",
                    _ -> true,
                    "monotonic",
                    search::neverGoesBack,
                    "own",
                    search::seesOwnWrites,
                    "bounded",
                    places -> search.isFresh(places, versions, age));
            Map<String, Function<Promises, List<Violation>>> judged = Map.of(
                    "prefix", Promises::consistentPrefix,
                    "monotonic", Promises::monotonicReads,
                    "own", Promises::readYourWrites,
                    "bounded", all -> all.boundedStaleness(versions, age));
            wanted.forEach((name, promise) -> {
                boolean kept = search.exists(promise);
                assertThat(judged.get(name).apply(promises).isEmpty())
                        .as("%s: %s, %s", name, log, history)
                        .isEqualTo(kept);
                broken.merge(name, kept ? 0 : 1, Integer::sum);
            });
        }
        assertThat(broken.values()).allSatisfy(count -> assertThat(count).isBetween(ROUNDS / 50, ROUNDS - ROUNDS / 50));
    }

    private static List<Version> randomLog(RandomGenerator random) {
        return IntStream.range(0, 1 + random.nextInt(5))
                .mapToObj(i -> Version.of(random.nextBoolean() ? X : Y, "v" + i))
                .toList();
    }

    private static List<Operation> randomHistory(RandomGenerator random, List<Version> log) {
        var history = new ArrayList<Operation>();
        for (int i = 0; i < log.size(); i++) {
            var version = log.get(i);
            long begin = 4L * i + random.nextInt(3);
            history.add(new Operation(
                    random.nextInt(2),
                    begin,
                    begin + random.nextInt(3),
                    new Action.Write(version.key(), version.value()),
                    random.nextInt(4) == 0 ? Outcome.UNKNOWN : Outcome.DONE));
        }
        for (int i = random.nextInt(4); i >= 0; i--) {
            long begin = random.nextInt(24);
            int place = random.nextInt(log.size() + 1);
            var seen = new HashMap<String, Optional<String>>();
            for (var key : List.of(X, Y)) {
                // Now and then something that does not fit to the rest.
                int other = random.nextInt(4) == 0 ? random.nextInt(log.size() + 1) : place;
                if (random.nextInt(3) > 0) {
                    seen.put(key, PlacesTriedOneByOne.state(log, other, key));
                }
            }
            history.add(new Operation(
                    random.nextInt(2), begin, begin + random.nextInt(4), new Action.Read(seen), Outcome.DONE));
        }
        return history;
    }

    private static Promises on(Log log, Histories history) {
        return new Promises(log, history.operations());
    }

    /** Tries every place for every read. */
    private record PlacesTriedOneByOne(List<Version> log, List<Operation> history, List<Operation> reads) {
        PlacesTriedOneByOne(List<Version> log, List<Operation> history) {
            this(
                    log,
                    history,
                    history.stream()
                            .filter(operation -> operation.read().isPresent())
                            .toList());
        }

        boolean exists(Predicate<int[]> promise) {
            return exists(new int[reads.size()], 0, promise);
        }

        private boolean exists(int[] places, int next, Predicate<int[]> promise) {
            if (next == places.length) {
                return promise.test(places);
            }
            return IntStream.rangeClosed(0, log.size())
                    .filter(place -> shows(reads.get(next), place))
                    .anyMatch(place -> {
                        places[next] = place;
                        return exists(places, next + 1, promise);
                    });
        }

        private boolean shows(Operation read, int place) {
            return read.read().orElseThrow().seen().entrySet().stream()
                    .allMatch(seen -> state(log, place, seen.getKey()).equals(seen.getValue()));
        }

        static Optional<String> state(List<Version> log, int place, String key) {
            return log.subList(0, place).stream()
                    .filter(version -> version.key().equals(key))
                    .reduce((_, later) -> later)
                    .flatMap(Version::value);
        }

        boolean neverGoesBack(int[] places) {
            return IntStream.range(0, places.length)
                    .allMatch(i -> IntStream.range(0, places.length)
                            .allMatch(j -> reads.get(i).session()
                                            != reads.get(j).session()
                                    || reads.get(i).end() >= reads.get(j).begin()
                                    || places[i] <= places[j]));
        }

        boolean seesOwnWrites(int[] places) {
            return IntStream.range(0, places.length)
                    .allMatch(i -> new HashSet<>(log.subList(0, places[i]))
                            .containsAll(history.stream()
                                    .filter(write -> write.session()
                                                    == reads.get(i).session()
                                            && write.end() < reads.get(i).begin())
                                    .flatMap(write -> write.acknowledged().stream())
                                    .toList()));
        }

        boolean isFresh(int[] places, int versions, long age) {
            return IntStream.range(0, places.length).allMatch(i -> {
                long begin = reads.get(i).begin();
                return lacking(places[i], begin) <= versions && lacking(places[i], begin - age) == 0;
            });
        }

        /** How many versions are missing up to the last one that was acknowledged before a time. */
        private int lacking(int place, long time) {
            int there = history.stream()
                    .filter(write -> write.end() < time)
                    .flatMap(write -> write.acknowledged().stream())
                    .mapToInt(version -> log.indexOf(version) + 1)
                    .max()
                    .orElse(0);
            return Math.max(0, there - place);
        }
    }
}
