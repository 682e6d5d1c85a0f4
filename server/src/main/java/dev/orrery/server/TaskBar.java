package dev.orrery.server;

import dev.orrery.server.transfer.Progress;
import java.util.function.BiConsumer;

/** Shows how far a task has come; how much there is to do is known when the first piece is done. */
final class TaskBar implements BiConsumer<Long, Long>, AutoCloseable {
    private final String task;
    private final Progress.Unit unit;
    private Progress progress;

    TaskBar(String task, Progress.Unit unit) {
        this.task = task;
        this.unit = unit;
    }

    @Override
    public void accept(Long done, Long all) {
        if (progress == null) {
            progress = new Progress(task, all, unit, Terminal.columnsOfErrors());
        }
        progress.show(done);
    }

    @Override
    public void close() {
        if (progress != null) {
            progress.close();
        }
    }
}
