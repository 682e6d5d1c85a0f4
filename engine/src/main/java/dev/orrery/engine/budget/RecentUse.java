package dev.orrery.engine.budget;

import java.util.Arrays;

/** What a partition has used: in all, in each second of the last minute, and in each minute of the last hour. */
final class RecentUse {
    private static final int MINUTE_SECONDS = 60;

    private final Ring seconds = new Ring(MINUTE_SECONDS);
    private final Ring minutes = new Ring(Usage.MINUTES);
    private double total;

    synchronized void add(double requestUnits, long second) {
        seconds.add(requestUnits, second);
        minutes.add(requestUnits, second / MINUTE_SECONDS);
        total += requestUnits;
    }

    /** The most that it used in one second of the last minute. */
    synchronized double peak(long second) {
        seconds.pass(second);
        return Arrays.stream(seconds.used).max().orElse(0);
    }

    synchronized double total() {
        return total;
    }

    synchronized Usage usage(long second) {
        return new Usage(total, peak(second), minutes.since(second / MINUTE_SECONDS));
    }

    /** What was used in each of the last steps of time. */
    private static final class Ring {
        private final double[] used;
        private long last;

        Ring(int steps) {
            this.used = new double[steps];
        }

        void add(double requestUnits, long step) {
            pass(step);
            used[place(last)] += requestUnits;
        }

        /** All steps up to now, the oldest first. */
        double[] since(long step) {
            pass(step);
            var inOrder = new double[used.length];
            for (int i = 0; i < used.length; i++) {
                inOrder[i] = used[place(last + 1 + i)];
            }
            return inOrder;
        }

        /** Forgets the steps that are too long ago by now; a clock that goes back stands still. */
        void pass(long step) {
            if (step - last >= used.length) {
                Arrays.fill(used, 0);
            } else {
                for (long passed = last + 1; passed <= step; passed++) {
                    used[place(passed)] = 0;
                }
            }
            last = Math.max(last, step);
        }

        private int place(long step) {
            return (int) (step % used.length);
        }
    }
}
