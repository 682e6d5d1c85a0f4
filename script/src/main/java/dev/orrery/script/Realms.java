package dev.orrery.script;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;

/**
 * Keeps realms ready, since making one takes longer than most scripts. A realm that a run has left as it was may serve
 * another run of the same version of the same script, and nothing else.
 */
final class Realms implements AutoCloseable {
    private static final int READY_MAX = 8;
    private static final int USED_MAX = 64;

    private final Executor background;
    private final BlockingQueue<Realm> ready = new ArrayBlockingQueue<>(READY_MAX);
    private final ArrayDeque<Used> used = new ArrayDeque<>();
    private final AtomicBoolean filling = new AtomicBoolean();
    private volatile boolean closed;
    private Workshop workshop;

    /** What realms are made of: our own scripts, and the engine that remembers them once they were read. */
    record Workshop(Engine engine, Source bounds, Source chains, Source prelude) {
        static Workshop open() {
            var engine = Engine.newBuilder("js")
                    .option("engine.WarnInterpreterOnly", "false")
                    .build();
            return new Workshop(engine, own("bounds.js"), own("chains.js"), own("prelude.js"));
        }

        private static Source own(String name) {
            try (var reader = new InputStreamReader(Realms.class.getResourceAsStream(name), StandardCharsets.UTF_8)) {
                return Source.newBuilder("js", reader, name).build();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    Realms(Executor background) {
        this.background = background;
    }

    /** A realm and the only script that may run in it; the last given back is the first to be taken again. */
    private record Used(String version, Realm realm) {}

    Realm take(String version) {
        synchronized (used) {
            for (var each = used.iterator(); each.hasNext(); ) {
                var one = each.next();
                if (one.version().equals(version)) {
                    each.remove();
                    return one.realm();
                }
            }
        }
        return takeNew();
    }

    void giveBack(String version, Realm realm) {
        Used oldest = null;
        synchronized (used) {
            used.addFirst(new Used(version, realm));
            if (used.size() > USED_MAX) {
                oldest = used.removeLast();
            }
        }
        if (oldest != null) {
            discard(oldest.realm());
        }
    }

    /** Closing takes a while that nobody has to wait for. */
    void discard(Realm realm) {
        try {
            background.execute(realm::close);
        } catch (RejectedExecutionException ending) {
            realm.close();
        }
    }

    Realm takeNew() {
        var made = ready.poll();
        // The first of all takes long: who waits for it should not have to share the machine with the making of more.
        var realm = made == null ? make() : made;
        fill();
        return realm;
    }

    /** Takes back a new realm, in which nothing has run if it is still as good as new. */
    void putBack(Realm realm, boolean asNew) {
        if (!asNew || closed || !ready.offer(realm)) {
            discard(realm);
        }
    }

    /** Makes realms in the background until enough are ready. */
    void fill() {
        if (!closed && ready.remainingCapacity() > 0 && filling.compareAndSet(false, true)) {
            try {
                background.execute(this::makeReady);
            } catch (RejectedExecutionException ending) {
                filling.set(false);
            }
        }
    }

    private void makeReady() {
        try {
            while (!closed && ready.remainingCapacity() > 0) {
                var realm = make();
                if (closed || !ready.offer(realm)) {
                    realm.close();
                }
            }
        } finally {
            filling.set(false);
        }
    }

    private Realm make() {
        return new Realm(workshop());
    }

    private synchronized Workshop workshop() {
        if (workshop == null) {
            workshop = Workshop.open();
        }
        return workshop;
    }

    @Override
    public void close() {
        closed = true;
        synchronized (used) {
            used.forEach(one -> one.realm().close());
            used.clear();
        }
        for (var realm = ready.poll(); realm != null; realm = ready.poll()) {
            realm.close();
        }
        synchronized (this) {
            if (workshop != null) {
                workshop.engine().close(true);
            }
        }
    }
}
