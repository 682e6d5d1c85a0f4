package dev.orrery.engine.advice;

import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether one physical partition does the work while the others wait. */
final class PartitionAdvice {
    private static final double TIMES_FAIR = 2.5;
    private static final double HOT_KEY_SHARE_MIN = 0.2;
    private static final int LOAD = 1_000;

    private final Subject subject;
    private final List<Double> charges;

    /** @param charges of the physical partitions */
    PartitionAdvice(Subject subject, List<Double> charges) {
        this.subject = subject;
        this.charges = charges;
    }

    Stream<Finding> findings() {
        double total = charges.stream().mapToDouble(Double::doubleValue).sum();
        double most = charges.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        int number = charges.size();
        if (number < 2
                || subject.seen().requests() < Subject.CALLS_MIN
                || total == 0
                || most / total < hotShare(number)) {
            return Stream.empty();
        }
        return Stream.of(finding(most / total, number, total));
    }

    /** Some unevenness is chance: half of what all in one would be, or several times what is fair among many. */
    private static double hotShare(int number) {
        double fair = 1.0 / number;
        return Math.min((1 + fair) / 2, TIMES_FAIR * fair);
    }

    private Finding finding(double share, int number, double total) {
        var hot = subject.seen().hot().stream().findFirst().filter(key -> key.share() >= HOT_KEY_SHARE_MIN);
        var figures = new ArrayList<String>();
        figures.add("it has " + Subject.percent(share) + " of " + Subject.units(total) + "; an even share would be "
                + Subject.percent(1.0 / number));
        hot.ifPresent(key -> figures.add("the partition key " + key.key().header() + " alone has about "
                + Subject.percent(Math.min(share, key.share()))));
        return subject.finding(
                Kind.HOT_PARTITION,
                "One of " + number + " physical partitions of " + subject.name() + " does most of the work",
                figures,
                proposal(hot),
                Charge.ofThroughput(share * number * LOAD, LOAD));
    }

    private String proposal(Optional<HotKeys.Hot> hot) {
        return (hot.isPresent()
                        ? "Spread what has this key over several: take a partition key with more values than "
                                + subject.partitionKey()
                                + ", or one of two levels, or add a number from 1 to 10 to the key of what is written."
                        : "Take a partition key that has more values than " + subject.partitionKey()
                                + ", or whose values are asked for more evenly.")
                + " Each physical partition has an equal part of the throughput, so what the others do not use is"
                + " lost.";
    }
}
