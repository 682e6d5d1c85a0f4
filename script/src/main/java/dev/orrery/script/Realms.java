package dev.orrery.script;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;

/**
 * Keeps realms ready, since making one takes longer than most scripts. Those that are hardened serve one run after another,
 * of whatever script; the others, for scripts that change the world around them, serve one run each.
 */
final class Realms implements AutoCloseable {
    private static final int READY_MAX = 4;
    private static final int USED_MAX = 16;

    private final Executor background;
    private final Shelf hardened = new Shelf(true);
    private final Shelf changeable = new Shelf(false);
    private volatile boolean closed;
    private Workshop workshop;

    /** What realms are made of: our own scripts, and the engine that remembers them once they were read. */
    record Workshop(Engine engine, Source bounds, Source chains, Source prelude, Source harden) {
        static Workshop open() {
            var engine = Engine.newBuilder("js")
                    .option("engine.WarnInterpreterOnly", "false")
                    .build();
            StackGuard.guard(engine);
            return new Workshop(engine, own("bounds.js"), own("chains.js"), own("prelude.js"), own("harden.js"));
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

    /** One that nothing before has left a trace in. */
    Realm take() {
        return hardened.take();
    }

    /** One that nothing has run in, and nothing else will. */
    Realm takeChangeable() {
        return changeable.take();
    }

    /** Takes back a realm when nothing runs in it any more, and closes it unless it is as good as new. */
    void giveBack(Realm realm) {
        if (closed || !realm.isReusable() || !hardened.put(realm)) {
            discard(realm);
        }
    }

    /** Makes realms in the background until enough are ready. */
    void fill() {
        hardened.fill(READY_MAX);
    }

    /** Makes the first one in the background, and with it all that realms are made of. */
    void prepare() {
        hardened.fill(1);
    }

    /** Closing takes a while that nobody has to wait for. */
    private void discard(Realm realm) {
        try {
            background.execute(realm::close);
        } catch (RejectedExecutionException ending) {
            realm.close();
        }
    }

    /** Realms of one kind; the last given back is the first to be taken again. */
    private final class Shelf {
        private final boolean holdsHardened;
        private final ArrayDeque<Realm> realms = new ArrayDeque<>();
        private final AtomicBoolean filling = new AtomicBoolean();

        private Shelf(boolean holdsHardened) {
            this.holdsHardened = holdsHardened;
        }

        private synchronized Realm poll() {
            return realms.pollFirst();
        }

        private synchronized boolean put(Realm realm) {
            if (realms.size() >= USED_MAX) {
                return false;
            }
            realms.addFirst(realm);
            return true;
        }

        private synchronized boolean has(int count) {
            return realms.size() >= count;
        }

        private Realm take() {
            var ready = poll();
            // The first of all takes long: who waits for it should not have to share the machine with the making of
            // more.
            var realm = ready == null ? make() : ready;
            fill(READY_MAX);
            return realm;
        }

        private void fill(int wanted) {
            if (!closed && !has(wanted) && filling.compareAndSet(false, true)) {
                try {
                    background.execute(() -> makeReady(wanted));
                } catch (RejectedExecutionException ending) {
                    filling.set(false);
                }
            }
        }

        private void makeReady(int wanted) {
            try {
                while (!closed && !has(wanted)) {
                    var realm = make();
                    if (closed || !put(realm)) {
                        realm.close();
                    }
                }
            } finally {
                filling.set(false);
            }
        }

        private Realm make() {
            return new Realm(workshop(), holdsHardened);
        }

        private void close() {
            for (var realm = poll(); realm != null; realm = poll()) {
                realm.close();
            }
        }
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
        hardened.close();
        changeable.close();
        synchronized (this) {
            if (workshop != null) {
                workshop.engine().close(true);
            }
        }
    }
}
