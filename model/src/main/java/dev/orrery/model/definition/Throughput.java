package dev.orrery.model.definition;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.Limits;
import dev.orrery.model.json.JsonValue.Obj;

/** How many request units a second a container, or a database for its containers, may use. */
public sealed interface Throughput {
    int MANUAL_INCREMENT = 100;
    int AUTOSCALE_INCREMENT = 1_000;

    record Manual(int requestUnits) implements Throughput {
        public Manual {
            check("The throughput", requestUnits, Limits.THROUGHPUT_MANUAL_MIN, MANUAL_INCREMENT);
        }

        @Override
        public int requestUnitsMax() {
            return requestUnits;
        }

        @Override
        public int increment() {
            return MANUAL_INCREMENT;
        }
    }

    /** Scales by itself between a tenth of the maximum and the maximum; {@code others} says how that may grow. */
    record Autoscale(int requestUnitsMax, Obj others) implements Throughput {
        private static final String MAX = "maxThroughput";

        public Autoscale {
            check(
                    "The autoscale maximum throughput",
                    requestUnitsMax,
                    Limits.THROUGHPUT_AUTOSCALE_MIN,
                    AUTOSCALE_INCREMENT);
        }

        @Override
        public int increment() {
            return AUTOSCALE_INCREMENT;
        }

        /** What is there without any load. */
        public int requestUnitsMin() {
            return requestUnitsMax / 10;
        }

        /** Reads the settings as they stand in an offer, and beside the request that creates a resource. */
        public static Autoscale parse(Obj settings) {
            return parse(MemberReader.of(settings));
        }

        static Autoscale parse(MemberReader settings) {
            int max =
                    settings.whole(MAX, 0, Integer.MAX_VALUE).orElseThrow(() -> settings.refusal(MAX, "is required."));
            return new Autoscale(max, settings.others());
        }

        Obj toJson() {
            return Obj.builder().put(MAX, requestUnitsMax).putAll(others).build();
        }
    }

    int requestUnitsMax();

    /** Every amount is a multiple of this. */
    int increment();

    /** How many a new container begins with, which leaves room to grow before one is split. */
    default int physicalPartitionsAtFirst() {
        return Math.ceilDiv(requestUnitsMax(), Limits.PHYSICAL_PARTITION_REQUEST_UNITS_AT_FIRST);
    }

    /** How many there must be: one for every started 10,000 request units a second. */
    default int physicalPartitions() {
        return Math.ceilDiv(requestUnitsMax(), Limits.PHYSICAL_PARTITION_REQUEST_UNITS_MAX);
    }

    private static void check(String what, int requestUnits, int min, int increment) {
        if (requestUnits < min || requestUnits > Limits.THROUGHPUT_MAX || requestUnits % increment != 0) {
            throw new FailureException(new Failure.BadRequest("%s is %d, but must be from %d to %d in steps of %d."
                    .formatted(what, requestUnits, min, Limits.THROUGHPUT_MAX, increment)));
        }
    }
}
