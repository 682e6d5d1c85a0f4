package dev.orrery.engine.charge;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What a request costs, item by item. Each line is in whole hundredths of a request unit, so that the total is what a
 * reader gets by adding them up.
 */
public record Bill(List<Line> lines) {
    public static final Bill NOTHING = new Bill(List.of());

    /**
     * One kind of work.
     *
     * @param count how often it was done
     * @param bytes how much data it was about, 0 where that does not matter
     */
    public record Line(Effort effort, long count, long bytes, double requestUnits) {
        public Line {
            requestUnits = hundredths(requestUnits);
        }

        public Line plus(Line other) {
            return new Line(effort, count + other.count, bytes + other.bytes, requestUnits + other.requestUnits);
        }
    }

    public Bill {
        lines = List.copyOf(lines);
    }

    /** A read or a change of a resource that describes. */
    public static final Bill METADATA = of(Effort.METADATA, 1);

    public static Bill of(Effort effort, double requestUnits) {
        return new Bill(List.of(new Line(effort, 1, 0, requestUnits)));
    }

    public double requestUnits() {
        double sum = 0;
        for (var line : lines) {
            sum += line.requestUnits;
        }
        return hundredths(sum);
    }

    /** Refuses what costs more than somebody is ready to pay; to be called before anything has come of it. */
    public Bill demandAtMost(Optional<Double> most) {
        if (most.isPresent() && requestUnits() > most.get()) {
            throw new FailureException(new Failure.TooCostly("The request would cost "
                    + text(requestUnits()) + " request units, more than the " + text(most.get())
                    + " that it may. It is made of: "
                    + lines.stream()
                            .map(line -> line.effort.label() + " " + text(line.requestUnits))
                            .collect(Collectors.joining(", "))
                    + "."));
        }
        return this;
    }

    private static String text(double requestUnits) {
        return BigDecimal.valueOf(requestUnits).stripTrailingZeros().toPlainString();
    }

    public Bill plus(Bill other) {
        if (lines.isEmpty()) {
            return other;
        }
        return other.lines.isEmpty() ? this : sum(List.of(this, other));
    }

    /** One bill for all, with one line for each kind of work. */
    public static Bill sum(List<Bill> bills) {
        if (bills.size() == 1) {
            return bills.getFirst();
        }
        var lines = new EnumMap<Effort, Line>(Effort.class);
        for (var bill : bills) {
            for (var line : bill.lines) {
                lines.merge(line.effort, line, Line::plus);
            }
        }
        return new Bill(new ArrayList<>(lines.values()));
    }

    private static double hundredths(double requestUnits) {
        return Math.round(requestUnits * 100) / 100.0;
    }
}
