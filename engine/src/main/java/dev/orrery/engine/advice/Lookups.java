package dev.orrery.engine.advice;

import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.model.json.SystemProperties;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Finds out whether what some answers hold is then looked up one by one: remembers the texts in a few answers for a
 * moment, and sees which of them are the ids of items that are read next. Items are also read by chance, so each text is
 * watched for as many reads again, and what is found then is taken off. How many reads of others come in between is not
 * known, so it is done with several numbers of reads at once, of which the most telling one counts. A read belongs to the
 * last answer that has its id.
 */
final class Lookups {
    private static final int IDS_OF_ROW_MAX = 32;
    private static final int DEPTH_MAX = 4;
    private static final int SAME_ID_MAX = 8;

    private static final int LOOKUPS_MIN = 10;
    private static final int SAMPLES_MIN = 5;

    /** For how many reads texts are watched, and for how many again: so many times the rows or texts that there are. */
    private static final int[] READS_PER_TEXT = {1, 4, 16};

    private final LongSupplier nanos;
    private final Map<String, List<Hope>> hopes = new ConcurrentHashMap<>();
    private final Deque<Hope> byAge = new ArrayDeque<>();
    private final Map<Found, Tally> tallies = new ConcurrentHashMap<>();
    private final LongAdder reads = new LongAdder();

    /**
     * Where texts come from.
     *
     * @param container by its number
     * @param pattern of the query whose rows have them; empty for items that were read by their ids
     * @param property as in {@code author.id} or {@code tags[]}
     * @param kind of the row; empty when that is not known
     */
    record Source(int container, String pattern, String property, String kind) {}

    /** Texts of a source that were looked up in a container. */
    record Found(Source source, int container) {}

    /** How often: among the reads right after the answer, and by chance, among as many that followed. */
    record Matches(long soon, long byChance) {
        long lookups() {
            return Math.max(0, soon - byChance);
        }

        boolean isTelling() {
            return soon >= 2 * byChance + LOOKUPS_MIN;
        }
    }

    /**
     * What was found.
     *
     * @param matches for each number of reads
     * @param samples in how many answers
     * @param names the properties of what was found
     */
    record Figures(List<Matches> matches, long samples, List<String> names) {
        Figures {
            matches = List.copyOf(matches);
            names = List.copyOf(names);
        }

        /** Lookups among the rows that were looked at, 0 if there are no more matches than chance would make. */
        long lookups() {
            return samples < SAMPLES_MIN
                    ? 0
                    : matches.stream()
                            .filter(Matches::isTelling)
                            .mapToLong(Matches::lookups)
                            .max()
                            .orElse(0);
        }
    }

    private static final class Tally {
        private final long[] soon = new long[READS_PER_TEXT.length];
        private final long[] byChance = new long[READS_PER_TEXT.length];
        private List<String> names = List.of();
        private long samples;
        private Sample last;

        synchronized Figures figures() {
            var matches = IntStream.range(0, soon.length)
                    .mapToObj(scale -> new Matches(soon[scale], byChance[scale]))
                    .toList();
            return new Figures(matches, samples, names);
        }
    }

    /**
     * Rows that were looked at.
     *
     * @param reads how many there had been by then
     */
    private record Sample(long nanos, long reads, int rows) {}

    /** The texts of one source in a sample. */
    private static final class Texts {
        private final Source source;
        private int count;

        Texts(Source source) {
            this.source = source;
        }
    }

    /** One text of a sample, which may be in several of its rows. */
    private static final class Hope {
        private final Source source;
        private final Texts others;
        private final String text;
        private final Sample sample;
        private int times;
        private final Map<Integer, Reads> byContainer = new HashMap<>();

        Hope(Texts others, String text, Sample sample) {
            this.source = others.source;
            this.others = others;
            this.text = text;
            this.sample = sample;
        }

        long near(int scale) {
            return (long) READS_PER_TEXT[scale] * Math.max(sample.rows, others.count);
        }

        /** Counts a read of it, at most as often as it is in a row. */
        synchronized void found(int container, long readsSince, Optional<ByteBuffer> item) {
            var reads = byContainer.computeIfAbsent(container, _ -> new Reads(item));
            for (int scale = 0; scale < READS_PER_TEXT.length; scale++) {
                if (readsSince <= near(scale)) {
                    reads.soon[scale] = Math.min(times, reads.soon[scale] + 1);
                } else if (readsSince <= 2 * near(scale)) {
                    reads.later[scale] = Math.min(times, reads.later[scale] + 1);
                }
            }
        }
    }

    /** Reads of a text in one container. */
    private static final class Reads {
        private final Optional<ByteBuffer> first;
        private final int[] soon = new int[READS_PER_TEXT.length];
        private final int[] later = new int[READS_PER_TEXT.length];

        Reads(Optional<ByteBuffer> first) {
            this.first = first;
        }
    }

    Lookups(LongSupplier nanos) {
        this.nanos = nanos;
    }

    // ---- answers ----

    /**
     * Remembers the rows of an answer; tells how many it has looked at.
     *
     * @param id what was asked for: who has it did not learn it from the answer
     */
    int remember(
            int container, String pattern, Optional<String> id, List<ByteBuffer> rows, Optional<String> kindProperty) {
        long now = nanos.getAsLong();
        forgetOld(now);
        var sample = new Sample(now, reads.sum(), rows.size());
        var texts = new HashMap<Source, Texts>();
        var found = new HashMap<List<Object>, Hope>();
        int looked = Math.min(rows.size(), Limits.ADVICE_ROWS_MAX);
        for (var row : rows.subList(0, looked)) {
            item(row).ifPresent(item -> {
                var kind = kindProperty
                        .filter(name -> item.member(name) instanceof Str)
                        .map(name -> ((Str) item.member(name)).value())
                        .orElse("");
                for (var possible : possibleIds(item)) {
                    if (id.equals(Optional.of(possible.text()))) {
                        continue;
                    }
                    var source = new Source(container, pattern, possible.property(), kind);
                    var others = texts.computeIfAbsent(source, Texts::new);
                    var hope = found.computeIfAbsent(
                            List.of(source, possible.text()), _ -> new Hope(others, possible.text(), sample));
                    others.count++;
                    hope.times++;
                }
            });
        }
        found.values().forEach(this::watch);
        return looked;
    }

    private record PossibleId(String property, String text) {}

    private record Inside(String property, JsonValue value, int depth) {}

    /** What may be an id in an item: what is farther out first, as not all of it is looked at. */
    private static List<PossibleId> possibleIds(Obj item) {
        var possible = new ArrayList<PossibleId>();
        var inside = new ArrayDeque<Inside>();
        inside.add(new Inside("", item, 0));
        while (!inside.isEmpty() && possible.size() < IDS_OF_ROW_MAX) {
            var next = inside.remove();
            switch (next.value()) {
                case Str(var text) -> {
                    if (!text.isEmpty() && text.length() <= Limits.ADVICE_ID_CHARACTERS_MAX) {
                        possible.add(new PossibleId(next.property(), text));
                    }
                }
                case Obj object -> {
                    if (next.depth() < DEPTH_MAX) {
                        object.members().forEach((name, value) -> {
                            if (next.depth() > 0 || !SystemProperties.isSystemName(name)) {
                                var property = next.depth() == 0 ? name : next.property() + "." + name;
                                inside.add(new Inside(property, value, next.depth() + 1));
                            }
                        });
                    }
                }
                case Arr(var elements) ->
                    elements.stream()
                            .limit(next.depth() < DEPTH_MAX ? IDS_OF_ROW_MAX : 0)
                            .forEach(element ->
                                    inside.add(new Inside(next.property() + "[]", element, next.depth() + 1)));
                case JsonValue.Undefined _, JsonValue.Null _, JsonValue.Bool _, JsonValue.Num _ -> {}
            }
        }
        return possible;
    }

    /** The item that a row is, or that an SDK has it wrapped into. */
    private static Optional<Obj> item(ByteBuffer row) {
        if (row.remaining() > Limits.ADVICE_ROW_BYTES_MAX) {
            return Optional.empty();
        }
        var bytes = new byte[row.remaining()];
        row.duplicate().get(bytes);
        return JsonReader.parse(bytes) instanceof Obj object
                ? Optional.of(
                        object.member("orderByItems").isUndefined()
                                        || !(object.member("payload") instanceof Obj payload)
                                ? object
                                : payload)
                : Optional.empty();
    }

    private synchronized void watch(Hope hope) {
        if (byAge.size() >= Limits.ADVICE_TEXTS_MAX) {
            return;
        }
        byAge.add(hope);
        hopes.merge(hope.text, List.of(hope), (known, one) -> {
            var all = new ArrayList<>(known.size() < SAME_ID_MAX ? known : known.subList(1, known.size()));
            all.addAll(one);
            return List.copyOf(all);
        });
    }

    private synchronized void forgetOld(long now) {
        while (!byAge.isEmpty() && now - byAge.getFirst().sample.nanos > Limits.ADVICE_LOOKUP_NANOS) {
            var old = byAge.removeFirst();
            hopes.computeIfPresent(old.text, (_, known) -> {
                var rest = known.stream().filter(hope -> hope != old).toList();
                return rest.isEmpty() ? null : rest;
            });
            settle(old, reads.sum() - old.sample.reads);
        }
    }

    private void settle(Hope hope, long readsSince) {
        synchronized (hope) {
            hope.byContainer.forEach((container, found) -> {
                var place = new Found(hope.source, container);
                if (tallies.size() < Limits.ADVICE_LOOKUPS_MAX || tallies.containsKey(place)) {
                    settle(hope, found, readsSince, tallies.computeIfAbsent(place, _ -> new Tally()));
                }
            });
        }
    }

    private static void settle(Hope hope, Reads found, long readsSince, Tally tally) {
        synchronized (tally) {
            for (int scale = 0; scale < READS_PER_TEXT.length; scale++) {
                // What was not watched to the end would seem less by chance than it is. If only very few reads have
                // followed, though, there was nothing else.
                if (readsSince >= hope.near(scale) * (scale == 0 ? 1 : 2)) {
                    tally.soon[scale] += found.soon[scale];
                    tally.byChance[scale] += found.later[scale];
                }
            }
            if (!hope.sample.equals(tally.last)) {
                tally.last = hope.sample;
                tally.samples++;
            }
            if (tally.names.isEmpty()) {
                tally.names = found.first.map(Lookups::names).orElse(List.of());
            }
        }
    }

    // ---- reads ----

    /** Sees that an item was read by its id, if it is there. */
    void read(int container, String id, Optional<ByteBuffer> item) {
        reads.increment();
        var watched = hopes.get(id);
        if (watched != null) {
            var last = watched.getLast().sample;
            long readsSince = reads.sum() - last.reads;
            var hopes =
                    watched.stream().filter(hope -> hope.sample.equals(last)).toList();
            // What two properties of an answer have is mostly looked up for the one that more of its rows have.
            var property = hopes.stream()
                    .max(Comparator.comparingInt(hope -> hope.others.count))
                    .orElseThrow()
                    .source
                    .property();
            for (var hope : hopes) {
                if (hope.source.property().equals(property)) {
                    hope.found(container, readsSince, item);
                }
            }
        }
    }

    private static List<String> names(ByteBuffer json) {
        return item(json).stream()
                .flatMap(item -> item.members().keySet().stream())
                .filter(name -> !name.equals("id") && !SystemProperties.isSystemName(name))
                .toList();
    }

    // ---- figures ----

    Map<Found, Figures> figures() {
        forgetOld(nanos.getAsLong());
        var figures = new HashMap<Found, Figures>();
        tallies.forEach((found, tally) -> figures.put(found, tally.figures()));
        return figures;
    }

    void forget(int container) {
        tallies.keySet()
                .removeIf(found ->
                        found.container() == container || found.source().container() == container);
    }
}
