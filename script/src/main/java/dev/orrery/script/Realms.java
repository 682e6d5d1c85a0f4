package dev.orrery.script;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Source;

/** Keeps realms ready, since making one takes longer than most scripts. Each serves one run and is thrown away. */
final class Realms implements AutoCloseable {
    private static final int READY_MAX = 16;

    private final Executor background;
    private final BlockingQueue<Realm> ready = new ArrayBlockingQueue<>(READY_MAX);
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

    Realm take() {
        var realm = ready.poll();
        fill();
        return realm == null ? make() : realm;
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
