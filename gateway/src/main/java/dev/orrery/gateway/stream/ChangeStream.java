package dev.orrery.gateway.stream;

import dev.orrery.engine.Database.Watch;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Operation.ChangesWanted;
import dev.orrery.engine.operation.Operation.ReadChanges;
import dev.orrery.engine.operation.Outcome;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.gateway.http.BodyStream;
import dev.orrery.model.Failure;
import dev.orrery.model.Limits;
import dev.orrery.model.memory.MemoryBudget;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * The changes of a container as events, page by page: a page is read only when the client has taken the one before and
 * there may be something in it. A page ends where a commit does.
 */
public final class ChangeStream implements BodyStream {
    private final ChangeStreams streams;
    private final boolean follow;
    private final Function<Failure, byte[]> errorText;

    // All that follows changes under the lock of this object, which nobody holds for long.
    private ReadChanges read;
    private Caller caller;
    private String container = "";
    private String placeTold = "";
    private long lastWordNanos;
    private Optional<Watch> watch = Optional.empty();
    private Optional<CompletableFuture<Optional<ByteBuffer>>> asked = Optional.empty();
    private Optional<ByteBuffer> firstPiece = Optional.empty();
    private boolean news;
    private boolean reading;
    private boolean over;
    private boolean closed;
    private long bytesHeld;

    ChangeStream(ChangeStreams streams, StreamWanted wanted, Caller caller, Function<Failure, byte[]> errorText) {
        this.streams = streams;
        this.follow = wanted.follow();
        this.errorText = errorText;
        this.read = wanted.first();
        this.caller = caller;
    }

    /** From now on, no commit goes unnoticed. */
    synchronized void watch() {
        watch = Optional.of(streams.database().watch(read, caller, this::wake));
    }

    /** Reads the first page. What the client sees of a refusal of this one is not part of the stream. */
    public CompletionStage<Outcome> begin() {
        return streams.database().execute(read, caller).thenApply(outcome -> {
            if (outcome.answer() instanceof Answer.Refused) {
                close();
            } else if (!hold(rows(outcome))) {
                close();
                throw MemoryBudget.shortage();
            } else {
                begin(outcome);
                streams.timer().after(Limits.CHANGE_STREAM_LOOK_MILLIS, this::look);
            }
            return outcome;
        });
    }

    /** Takes memory for a piece, until the client has taken it and asks for the next; false if there is too little. */
    private synchronized boolean hold(List<ByteBuffer> rows) {
        long bytes = 0;
        for (var row : rows) {
            bytes += row.remaining();
        }
        if (closed || bytes <= Limits.MEMORY_REPLY_BYTES_FREE) {
            return true;
        }
        boolean held = streams.memory().tryTake(bytes);
        bytesHeld += held ? bytes : 0;
        return held;
    }

    private void letGo() {
        streams.memory().giveBack(bytesHeld);
        bytesHeld = 0;
    }

    private synchronized void begin(Outcome first) {
        container = first.facts().owner().orElseThrow().rid();
        // Another container by the same name would have other changes at the same places.
        caller = caller.meaning(container);
        goOnAfter(first);
        lastWordNanos = streams.nanos();
        var rows = rows(first);
        firstPiece = Optional.of(rows.isEmpty() ? EventText.place(id()) : EventText.changes(rows, id()));
        placeTold = id();
        boolean drained = first.answer() instanceof Answer.NotModified;
        over = drained && !follow;
        news |= !drained;
    }

    @Override
    public synchronized CompletionStage<Optional<ByteBuffer>> next() {
        var promise = new CompletableFuture<Optional<ByteBuffer>>();
        if (firstPiece.isPresent()) {
            promise.complete(firstPiece);
            firstPiece = Optional.empty();
        } else if (over || closed) {
            promise.complete(Optional.empty());
        } else {
            letGo();
            asked = Optional.of(promise);
            goOn();
        }
        return promise;
    }

    /** Something may have changed; called on threads that have other things to do. */
    private synchronized void wake() {
        news = true;
        goOn();
    }

    /** Looks for what no commit tells of, such as the end of the container, and says now and then that all is well. */
    private void look() {
        synchronized (this) {
            if (closed) {
                return;
            }
        }
        wake();
        streams.timer().after(Limits.CHANGE_STREAM_LOOK_MILLIS, this::look);
    }

    private void goOn() {
        if (asked.isEmpty() || !news || reading) {
            return;
        }
        news = false;
        reading = true;
        try {
            streams.workers().execute(this::readPage);
        } catch (RejectedExecutionException stopping) {
            over = true;
            give(Optional.empty());
        }
    }

    private void readPage() {
        ReadChanges next;
        Caller terms;
        synchronized (this) {
            next = read;
            terms = caller;
        }
        try {
            streams.database().execute(next, terms).whenComplete(this::took);
        } catch (Throwable problem) { // even an Error: without an answer the client would wait for ever
            took(null, problem);
        }
    }

    private synchronized void took(Outcome outcome, Throwable problem) {
        reading = false;
        if (problem != null) {
            over = true;
            asked.ifPresent(promise -> promise.completeExceptionally(problem));
            return;
        }
        if (outcome.answer() instanceof Answer.Refused(var failure)) {
            refused(failure);
            return;
        }
        var rows = rows(outcome);
        if (!hold(rows)) {
            news = true;
            return; // The next look tries again.
        }
        goOnAfter(outcome);
        boolean drained = outcome.answer() instanceof Answer.NotModified;
        news |= !drained;
        if (!rows.isEmpty()) {
            tell(EventText.changes(rows, id()));
        } else if (drained && !follow) {
            over = true;
            give(placeTold.equals(id()) ? Optional.empty() : Optional.of(EventText.place(id())));
        } else if (streams.nanos() - lastWordNanos >= Limits.CHANGE_STREAM_ALIVE_MILLIS * 1_000_000L) {
            tell(EventText.alive(id()));
        } else {
            goOn();
        }
    }

    private void refused(Failure failure) {
        if (failure instanceof Failure.Throttled) {
            return; // The next look tries again.
        }
        over = true;
        give(Optional.of(EventText.error(errorText.apply(failure))));
    }

    private void goOnAfter(Outcome outcome) {
        var wanted = read.wanted();
        read = new ReadChanges(
                read.container(),
                read.scope(),
                new ChangesWanted(
                        wanted.mode(),
                        Optional.of(outcome.facts().etag().orElseThrow()),
                        wanted.since(),
                        wanted.wrapped(),
                        wanted.previous()),
                read.itemsMax());
    }

    private static List<ByteBuffer> rows(Outcome outcome) {
        return outcome.answer() instanceof Answer.Feed feed ? feed.rows() : List.of();
    }

    /** The place to go on from, and of which container it is one. */
    private String id() {
        return read.wanted().after().orElseThrow().replace("\"", "") + "@" + container;
    }

    private void tell(ByteBuffer piece) {
        placeTold = id();
        lastWordNanos = streams.nanos();
        give(Optional.of(piece));
    }

    private void give(Optional<ByteBuffer> piece) {
        var promise = asked;
        asked = Optional.empty();
        promise.ifPresent(waiting -> waiting.complete(piece));
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        letGo();
        watch.ifPresent(Watch::close);
        streams.closed();
        give(Optional.empty());
    }
}
