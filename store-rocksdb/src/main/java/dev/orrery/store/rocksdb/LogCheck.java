package dev.orrery.store.rocksdb;

import dev.orrery.store.StoreException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides, before RocksDB sees them, whether the logs of a store that was not closed have all they should have. A crash
 * may leave a last group of writes by halves, which nobody has been told of: it is cut off. Anything else is refused: a
 * bad group with good ones behind it, a hole, an end before what was known to be on disk.
 *
 * <p>Where the disk is written to in no order, as without the sync of every group, groups may be whole behind one that is
 * not; they are cut off as well if none of them knows that what was before is on disk.
 */
final class LogCheck {

    private static final long UNKNOWN = -1;

    private final Path directory;
    private final long durable;

    /** The number of the last group in an unbroken line. */
    private long last = UNKNOWN;

    /** Whether that group is in the log read last, and not in an earlier one, which may be of no use any more. */
    private boolean lastIsHere;

    private LogFile broken;
    private long cutAt;
    private String wrong;
    private boolean damaged;
    private final List<LogFile> behindBroken = new ArrayList<>();

    private LogCheck(Path directory, long durable) {
        this.directory = directory;
        this.durable = durable;
    }

    /**
     * Throws if something is missing, and else leaves logs in which nothing is wrong.
     *
     * @param durable the number up to which all groups must be there
     */
    static void run(Path directory, long durable) throws IOException {
        var check = new LogCheck(directory, durable);
        check.readAll();
        check.demandWhole();
        check.cut();
    }

    /** The same, but what a crash may have left stays where it is. */
    static void look(Path directory, long durable) throws IOException {
        var check = new LogCheck(directory, durable);
        check.readAll();
        check.demandWhole();
    }

    private void readAll() throws IOException {
        for (Path log : logs(directory)) {
            read(new LogFile(log, RowBatch.HEAD_BYTES));
        }
    }

    /** The logs in the order in which they were written. */
    private static List<Path> logs(Path directory) throws IOException {
        var logs = new ArrayList<Path>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.log")) {
            files.forEach(logs::add);
        }
        logs.sort(null); // Their names are numbers with leading zeros.
        return logs;
    }

    private void read(LogFile log) throws IOException {
        if (broken != null) {
            behindBroken.add(log);
        }
        lastIsHere = false;
        var end = new long[1];
        var findings = log.read((head, entryEnd) -> {
            follow(log, head, end[0]);
            end[0] = entryEnd;
        });
        if (findings.how() == LogFile.End.WHOLE) {
            return;
        }
        if (broken == null) {
            breakOff(log, findings.end(), "the record at byte " + findings.at() + " is not what was written");
            damaged = findings.how() == LogFile.End.DAMAGED;
        }
        log.readBehind(findings.at(), this::lookBehind);
    }

    private void follow(LogFile log, byte[] head, long start) {
        if (broken != null) {
            lookBehind(head);
            return;
        }
        RowBatch.mark(head).ifPresent(mark -> {
            // From log to log RocksDB sees to it, which knows what of them is of use.
            if (lastIsHere && mark.number() != last + 1) {
                breakOff(
                        log,
                        start,
                        "groups %d to %d of writes are missing before byte %d"
                                .formatted(last + 1, mark.number() - 1, start));
                lookBehind(head);
            } else {
                last = mark.number();
                lastIsHere = true;
            }
        });
    }

    private void breakOff(LogFile log, long at, String what) {
        broken = log;
        cutAt = at;
        wrong = what;
    }

    /** A group without a mark was only written when all before it was on disk. */
    private void lookBehind(byte[] head) {
        damaged |= RowBatch.mark(head).map(GroupMark::durable).orElse(Long.MAX_VALUE) > last;
    }

    private void demandWhole() throws IOException {
        if (broken != null && damaged) {
            throw refused(broken, wrong);
        }
        if (lastIsHere && last < durable) {
            var log = broken == null ? new LogFile(logs(directory).getLast(), RowBatch.HEAD_BYTES) : broken;
            throw refused(log, "it ends with group %d of writes, but group %d was on disk".formatted(last, durable));
        }
    }

    private void cut() throws IOException {
        if (broken != null) {
            broken.cut(cutAt);
            for (LogFile log : behindBroken) {
                log.cut(0);
            }
        }
    }

    private StoreException refused(LogFile log, String how) {
        return Failures.damaged(directory, log.path().getFileName().toString(), how);
    }
}
