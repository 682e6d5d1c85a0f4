package dev.orrery.engine.index;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.orrery.engine.index.ListedDocuments.Found;
import dev.orrery.engine.index.Outline.Presence;
import dev.orrery.engine.key.EntryValue;
import dev.orrery.engine.key.IndexKey;
import dev.orrery.engine.key.IndexKey.Kind;
import dev.orrery.engine.key.OutlineKey;
import dev.orrery.engine.key.ValueBytes;
import dev.orrery.model.definition.IndexPath.Step;
import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.plan.Condition;
import dev.orrery.sql.plan.Condition.Span;
import dev.orrery.sql.run.Checkpoint;
import dev.orrery.sql.text.WordCondition;
import dev.orrery.store.Direction;
import dev.orrery.store.KeyRange;
import dev.orrery.store.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Looks for documents in the indexes of one range. */
public final class IndexSearch {
    /** So few items are sooner looked at than narrowed down. */
    private static final int FEW = 8;

    /** So many entries are read for an item that need not be loaded then. */
    private static final long ENTRIES_PER_ITEM = 4;

    /** Entries that are read at once of each candidate, to see whether it is a short one. */
    private static final int HEAD = 32;

    /** How much more is tried each time when no candidate is short. */
    private static final int GROWTH = 16;

    /** Items with more different outlines than this are rather maps. */
    private static final int OUTLINES_MAX = 4_096;

    /** Each outline is a place to look at, which a scan of all items does not have to. */
    private static final int CANDIDATE_OUTLINES_MAX = 64;

    private static final int FOUND_BYTES = 72;

    // An outline never changes, and its number tells which one it is.
    private static final Cache<Long, Outline> OUTLINES =
            Caffeine.newBuilder().maximumSize(OUTLINES_MAX * 4L).build();

    private final Snapshot snapshot;
    private final UsableIndexes usable;
    private final long from;
    private final long to;
    private final Checkpoint checkpoint;
    private long entriesRead;
    private long bytesKept;

    /**
     * Over the documents from one number on (inclusive) up to another (exclusive).
     *
     * @param checkpoint told of the memory that lists of documents take
     */
    public IndexSearch(Snapshot snapshot, UsableIndexes usable, long from, long to, Checkpoint checkpoint) {
        this.snapshot = snapshot;
        this.usable = usable;
        this.from = from;
        this.to = to;
        this.checkpoint = checkpoint;
    }

    /** Counts what is kept of what was found. */
    void keep(long bytes) {
        bytesKept += bytes;
        checkpoint.keep(bytes);
    }

    /** Says that nobody needs what was found any more. */
    public void release() {
        keep(-bytesKept);
    }

    /** How many entries were looked at to find out what to read; those read later not included. */
    public long entriesRead() {
        return entriesRead;
    }

    // ---- candidates: all that satisfy the condition, and some more ----

    /**
     * Documents among which are all that satisfy a condition; empty when the index does not help.
     *
     * @param entriesMax how many entries of ranges of values may be read before it is not worth it; asked when more than
     *     {@value #HEAD} are, since it may take time to tell
     */
    public Optional<Documents> candidates(Condition condition, LongSupplier entriesMax) {
        return switch (condition) {
            case Condition.Anything _ -> Optional.empty();
            case Condition.All(var parts) -> best(parts, entriesMax);
            case Condition.Any(var parts) -> union(parts, entriesMax);
            case Condition.Value value -> candidates(value, entriesMax);
            case Condition.Element element -> tuple(element).map(this::head);
            case Condition.Presence presence -> presence(presence, CANDIDATE_OUTLINES_MAX);
            case Condition.Near near ->
                usable.shapes(near.place())
                        .flatMap(index -> collected(index.targets(near), Kind.CELL, HEAD, entriesMax));
            case Condition.Words words ->
                usable.texts(words.place()).flatMap(index -> texts(index, index.words(words)));
        };
    }

    /** The numbers of {@link #candidates}; empty when there are none or too many. */
    public Optional<Sieve> sieve(Condition condition, long entriesMax, long documentsMax) {
        var found = candidates(condition, () -> entriesMax);
        if (found.isPresent() && found.get().estimate() > documentsMax) {
            found.get().close();
            return Optional.empty();
        }
        var sieve = found.map(documents -> Sieve.of(this, documents));
        release();
        sieve.ifPresent(some -> checkpoint.keep(Long.BYTES * some.size()));
        return sieve;
    }

    private Optional<Documents> candidates(Condition.Value value, LongSupplier entriesMax) {
        if (!usable.has(value.place())) {
            return Optional.empty();
        }
        return isPoints(value)
                ? Optional.of(points(value))
                : collected(targets(value), Kind.VALUE, HEAD, entriesMax).map(Documents.class::cast);
    }

    private static boolean isPoints(Condition.Value value) {
        return value.spans().stream().allMatch(Span.Exactly.class::isInstance);
    }

    private Documents points(Condition.Value value) {
        return Documents.any(targets(value).stream().map(target -> head(target)).toList());
    }

    /** The shortest of several and what others, which are not much longer, have in common with it. */
    private Optional<Documents> best(List<Condition> parts, LongSupplier entriesMax) {
        var open = new ArrayList<Documents>();
        var ranges = new ArrayList<Condition.Value>();
        for (var part : parts) {
            if (part instanceof Condition.Value value && usable.has(value.place()) && !isPoints(value)) {
                ranges.add(value);
            } else {
                candidates(part, entriesMax).ifPresent(open::add);
            }
        }
        var shortest = open.stream()
                .filter(ListedDocuments.class::isInstance)
                .min(Comparator.comparingLong(Documents::estimate));
        // With entries of exact values at hand, ranges are worth a short look only.
        var rangeMax = shortest.<LongSupplier>map(documents -> () -> documents.estimate() * ENTRIES_PER_ITEM)
                .orElse(open.isEmpty() ? entriesMax : () -> Math.min(entriesMax.getAsLong(), (long) HEAD * GROWTH));
        var fewer = fewest(ranges, shortest.isPresent() ? Math.min(HEAD, rangeMax.getAsLong()) : HEAD, rangeMax);
        var leader = fewer.or(() -> shortest);
        if (leader.isPresent() && leader.get().estimate() <= FEW) {
            open.forEach(Documents::close);
            return leader;
        }
        if (fewer.isPresent()) {
            open.addFirst(fewer.get());
        }
        return open.isEmpty() ? Optional.empty() : Optional.of(common(open));
    }

    /**
     * What some ranges, those that come to an end early, have in common; each is given more time in turns.
     *
     * @param atFirst how much of it
     */
    private Optional<Documents> fewest(List<Condition.Value> ranges, long atFirst, LongSupplier entriesMax) {
        var waiting = new ArrayList<>(ranges);
        var found = new ArrayList<ListedDocuments>();
        long most = atFirst;
        while (!waiting.isEmpty()) {
            long entries = most;
            waiting.removeIf(range -> {
                var collected = collected(targets(range), Kind.VALUE, entries, () -> entries);
                collected.ifPresent(found::add);
                return collected.isPresent();
            });
            if (waiting.isEmpty() || most >= entriesMax.getAsLong()) {
                break;
            }
            long more = found.stream()
                    .mapToLong(documents -> documents.estimate() * ENTRIES_PER_ITEM)
                    .min()
                    .orElse(most * GROWTH);
            if (more <= most) {
                break;
            }
            most = Math.min(more, entriesMax.getAsLong());
        }
        return found.stream()
                .min(Comparator.comparingLong(Documents::estimate))
                .map(first -> found.stream().reduce(first, ListedDocuments::within));
    }

    private Optional<Documents> union(List<Condition> parts, LongSupplier entriesMax) {
        var open = new ArrayList<Documents>();
        for (var part : parts) {
            var found = candidates(part, entriesMax);
            if (found.isEmpty()) {
                open.forEach(Documents::close);
                return Optional.empty();
            }
            open.add(found.get());
        }
        return Optional.of(open.isEmpty() ? ListedDocuments.ordered(List.of(), 0) : Documents.any(open));
    }

    /** Documents among which are all with a text that has some words; empty when words alone do not tell. */
    private Optional<Documents> texts(TextIndex index, WordCondition words) {
        return switch (words) {
            case WordCondition.Unknown _ -> Optional.empty();
            case WordCondition.Word(var word) -> Optional.of(head(index.target(word)));
            case WordCondition.Phrase(var together) ->
                Optional.of(common(
                        together.stream().map(word -> head(index.target(word))).toList()));
            case WordCondition.AllOf(var parts) -> {
                var known = parts.stream()
                        .map(part -> texts(index, part))
                        .flatMap(Optional::stream)
                        .toList();
                yield known.isEmpty() ? Optional.empty() : Optional.of(common(known));
            }
            case WordCondition.AnyOf(var parts) ->
                parts.isEmpty()
                        ? Optional.of(ListedDocuments.ordered(List.of(), 0))
                        : Optional.of(Documents.any(parts.stream()
                                .map(part -> texts(index, part).orElseThrow())
                                .toList()));
        };
    }

    /** Those that are among all of several, led by the fewest. */
    private static Documents common(List<Documents> parts) {
        return Documents.all(parts.stream()
                .sorted(Comparator.comparingLong(Documents::estimate))
                .toList());
    }

    private Optional<KeyRange> tuple(Condition.Element element) {
        return usable.tuple(element.array(), element.fields().keySet())
                .map(fields -> IndexKey.tupleTarget(
                        ItemIndex.tupleNumber(element.array(), fields),
                        fields.stream().map(element.fields()::get).toList()));
    }

    /** The documents of one target: listed when they are few. */
    private Documents head(KeyRange target) {
        var part = new KeyRange(IndexKey.at(target, from), IndexKey.at(target, to));
        var cursor = snapshot.scan(part, Direction.FORWARD);
        int locatorStart = IndexKey.kind(target.from()).locatorStart();
        var head = new ArrayList<Found>();
        while (head.size() < HEAD && cursor.next()) {
            head.add(new Found(IndexKey.document(cursor.key()), cursor.value()));
        }
        entriesRead += head.size();
        if (head.size() < HEAD) {
            cursor.close();
            return ListedDocuments.ordered(head, locatorStart);
        }
        cursor.seek(part.from());
        // Numbers begin with a hash of the partition key, so the first few tell how dense all of them are.
        long width = Math.max(1, head.getLast().number() - from);
        return new Postings(cursor, target, locatorStart, (long) ((double) HEAD * (to - from) / width));
    }

    /**
     * The documents of stretches of entries; empty when there are too many.
     *
     * @param atFirst how many are read before that is asked
     */
    private Optional<ListedDocuments> collected(
            List<KeyRange> targets, Kind kind, long atFirst, LongSupplier entriesMax) {
        var found = new ArrayList<Found>();
        long most = atFirst;
        long read = 0;
        for (var target : targets) {
            try (var cursor = snapshot.scan(target, Direction.FORWARD)) {
                while (cursor.next()) {
                    if (read >= most) {
                        most = entriesMax.getAsLong();
                        if (read >= most) {
                            return Optional.empty();
                        }
                    }
                    read++;
                    entriesRead++;
                    long number = IndexKey.document(cursor.key());
                    if (number >= from && number < to) {
                        var value = cursor.value();
                        keep(FOUND_BYTES + value.length);
                        found.add(new Found(number, value));
                    }
                }
            }
        }
        return Optional.of(ListedDocuments.sorted(found, kind.locatorStart()));
    }

    // ---- exactly those that satisfy the condition ----

    /** The documents that satisfy a condition, when the index alone can tell. */
    public Optional<Documents> exactly(Condition condition, long entriesMax) {
        return switch (condition) {
            case Condition.Anything _, Condition.Element _, Condition.Near _ -> Optional.empty();
            case Condition.Words words -> exactly(words);
            case Condition.All(var parts) -> exactly(parts, entriesMax).map(Documents::all);
            case Condition.Any(var parts) ->
                parts.isEmpty()
                        ? Optional.of(ListedDocuments.ordered(List.of(), 0))
                        : exactly(parts, entriesMax).map(Documents::any);
            case Condition.Value value ->
                value.exact() && isExact(value) ? candidates(value, () -> entriesMax) : Optional.empty();
            case Condition.Presence presence -> presence(presence, OUTLINES_MAX);
        };
    }

    private Optional<List<Documents>> exactly(List<Condition> parts, long entriesMax) {
        var open = new ArrayList<Documents>();
        for (var part : parts) {
            var found = exactly(part, entriesMax);
            if (found.isEmpty()) {
                open.forEach(Documents::close);
                return Optional.empty();
            }
            open.add(found.get());
        }
        return Optional.of(open);
    }

    /** Whether entries tell enough about values to decide about the spans of a condition. */
    private static boolean isExact(Condition.Value value) {
        return value.spans().stream().allMatch(span -> switch (span) {
            case Span.Exactly(var exact) -> !ValueBytes.isRough(exact);
            case Span.Between(var low, var high) ->
                low.stream().noneMatch(end -> ValueBytes.isRough(end.value()))
                        && high.stream().noneMatch(end -> ValueBytes.isRough(end.value()));
            case Span.StartingWith(var text) -> !ValueBytes.isRough(new JsonValue.Str(text));
            case Span.Kind _ -> true;
        });
    }

    /** How many documents satisfy a condition on the values of one place, without remembering which. */
    public Optional<Long> count(Condition.Value value) {
        if (!value.exact() || !isExact(value) || !usable.has(value.place())) {
            return Optional.empty();
        }
        long count = 0;
        for (var target : targets(value)) {
            try (var cursor = snapshot.scan(target, Direction.FORWARD)) {
                while (cursor.next()) {
                    count++;
                }
            }
        }
        return Optional.of(count);
    }

    // ---- figures of texts ----

    /** How many words the texts at a place have. */
    public Optional<Long> words(List<Step> place) {
        return usable.texts(place).map(index -> {
            long words = 0;
            try (var cursor = snapshot.scan(index.texts(), Direction.FORWARD)) {
                while (cursor.next()) {
                    words += EntryValue.count(cursor.value());
                }
            }
            return words;
        });
    }

    /** How many documents have a text with some terms, when the words of texts tell it. */
    public Optional<Long> hits(Condition.Words condition) {
        return exactly(condition).map(IndexSearch::count);
    }

    private Optional<Documents> exactly(Condition.Words condition) {
        return usable.texts(condition.place()).flatMap(index -> {
            var words = index.words(condition);
            return words.isExact() ? texts(index, words) : Optional.empty();
        });
    }

    private static long count(Documents documents) {
        try (documents) {
            long count = 0;
            while (documents.next()) {
                count++;
            }
            return count;
        }
    }

    // ---- outlines ----

    /** Empty when outlines do not tell it of all documents, or too many of them say so. */
    private Optional<Documents> presence(Condition.Presence condition, int outlinesMax) {
        if (!usable.has(condition.place())) {
            return Optional.empty();
        }
        return outlines(condition.place(), found -> condition.present() != (found == Presence.NOTHING))
                .filter(outlines -> outlines.size() <= outlinesMax)
                .map(outlines -> outlines.isEmpty()
                        ? ListedDocuments.ordered(List.of(), 0)
                        : Documents.any(outlines.stream()
                                .map(outline -> head(IndexKey.all(Kind.OUTLINE, outline)))
                                .toList()));
    }

    /** The outlines that say something about a place; empty when some do not tell. */
    Optional<List<Long>> outlines(List<Step> place, Predicate<Presence> wanted) {
        var outlines = new ArrayList<Long>();
        try (var cursor = snapshot.scan(OutlineKey.all(), Direction.FORWARD)) {
            for (int count = 0; cursor.next(); count++) {
                long number = OutlineKey.decode(cursor.key());
                var presence = OUTLINES.get(number, _ -> Outline.decode(cursor.value()))
                        .at(place);
                if (count == OUTLINES_MAX || presence == Presence.UNKNOWN) {
                    return Optional.empty();
                }
                if (wanted.test(presence)) {
                    outlines.add(number);
                }
            }
        }
        return Optional.of(outlines);
    }

    /** Whether there are items that their writers wanted to have no entries. */
    public boolean hasUnindexed() {
        try (var cursor = snapshot.scan(IndexKey.all(Kind.OUTLINE, Outline.UNINDEXED), Direction.FORWARD)) {
            return cursor.next();
        }
    }

    Snapshot snapshot() {
        return snapshot;
    }

    long from() {
        return from;
    }

    long to() {
        return to;
    }

    // ---- stretches of keys ----

    private static List<KeyRange> targets(Condition.Value value) {
        long place = Place.of(value.place());
        return value.spans().stream().map(span -> target(place, span)).toList();
    }

    private static KeyRange target(long place, Span span) {
        var target = Target.of(span);
        return IndexKey.between(Kind.VALUE, place, target.from(), target.to());
    }
}
