package dev.orrery.engine.budget;

import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Bill.Line;
import dev.orrery.engine.charge.Effort;
import dev.orrery.engine.charge.Effort.Nature;
import dev.orrery.engine.operation.Caller;
import dev.orrery.engine.operation.Caller.ConsistencyLevel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Turns counted work into request units, by one of the {@link PriceLists}. */
public final class Prices {
    private static final double KIB = 1024;

    private final String name;
    private final Map<Effort, Price> prices;

    /**
     * The price of one kind of work.
     *
     * @param each for each time it is done
     * @param perKilobyte for the data it is about
     * @param sizes what one of a size costs besides, ascending; between two sizes the price goes straight from one to the
     *     other, and below the first it is that of the first
     */
    public record Price(double each, double perKilobyte, List<SizePrice> sizes) {
        static final Price FREE = new Price(0, 0, List.of());

        public Price {
            sizes = List.copyOf(sizes);
        }

        double of(long count, long bytes) {
            double bySize = sizes.isEmpty() ? 0 : count * ofSize(bytes / KIB / count);
            return count * each + bytes / KIB * perKilobyte + bySize;
        }

        private double ofSize(double kilobytes) {
            var below = sizes.getFirst();
            if (kilobytes <= below.kilobytes()) {
                return below.requestUnits();
            }
            for (var above : sizes) {
                if (kilobytes <= above.kilobytes()) {
                    return between(below, above, kilobytes);
                }
                below = above;
            }
            return below.requestUnits() * kilobytes / below.kilobytes();
        }

        private static double between(SizePrice below, SizePrice above, double kilobytes) {
            double share = (kilobytes - below.kilobytes()) / (above.kilobytes() - below.kilobytes());
            return below.requestUnits() + share * (above.requestUnits() - below.requestUnits());
        }
    }

    public record SizePrice(double kilobytes, double requestUnits) {}

    public Prices(String name, Map<Effort, Price> prices) {
        this.name = name;
        this.prices = Map.copyOf(prices);
    }

    public String name() {
        return name;
    }

    /** These prices for items, and those of another list for everything else. */
    public Prices withOthersOf(Prices other) {
        var mixed = new EnumMap<Effort, Price>(other.prices);
        prices.forEach((effort, price) -> {
            if (effort.nature() == Nature.WRITE || effort == Effort.ITEM_READ) {
                mixed.put(effort, price);
            }
        });
        return new Prices(name, mixed);
    }

    public Price of(Effort effort) {
        return prices.get(effort);
    }

    /** The bill for work that a caller's consistency level has no say in. */
    public Bill bill(Work work) {
        var lines = new ArrayList<Line>(work.parts().size());
        for (var done : work.parts()) {
            var line = line(done.effort(), done.count(), done.bytes());
            if (!lines.isEmpty() && lines.getLast().effort() == line.effort()) {
                line = lines.removeLast().plus(line);
            }
            lines.add(line);
        }
        return new Bill(lines);
    }

    /** The bill for work for a caller: who wants to read the newest data of others has more copies asked. */
    public Bill bill(Work work, Caller caller) {
        var bill = bill(work);
        boolean dearer = caller.consistency()
                .filter(level -> level.compareTo(ConsistencyLevel.BOUNDED_STALENESS) <= 0)
                .isPresent();
        if (!dearer) {
            return bill;
        }
        double reads = bill.lines().stream()
                .filter(line -> line.effort().nature() == Nature.READ)
                .mapToDouble(Line::requestUnits)
                .sum();
        double extra = reads * prices.get(Effort.CONSISTENCY).each();
        return extra == 0 ? bill : bill.plus(Bill.of(Effort.CONSISTENCY, extra));
    }

    /** One item read by its key; 0 bytes when it turned out not to be there, or not to be needed. */
    public Bill read(long bytes, Caller caller) {
        return bill(new Work().add(Effort.ITEM_READ, 1, bytes), caller);
    }

    /** A page of a feed: as much as one of a query with the same rows. To learn that there is nothing is a read. */
    public Bill page(int rangesAsked, List<ByteBuffer> rows, Caller caller) {
        if (rows.isEmpty()) {
            return read(0, caller);
        }
        long bytes = rows.stream().mapToLong(ByteBuffer::remaining).sum();
        return bill(
                new Work()
                        .add(Effort.RANGES_PROBED, rangesAsked)
                        .add(Effort.ITEMS_LOADED, rows.size(), bytes)
                        .add(Effort.RESULT, rows.size(), bytes),
                caller);
    }

    /** Looking for something, whatever became of it. */
    public Bill attempt() {
        return bill(new Work().add(Effort.ITEM_READ, 1));
    }

    public Bill scriptCalls(int calls) {
        return bill(new Work().add(Effort.SCRIPT_CALLS, calls));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Prices that && name.equals(that.name) && prices.equals(that.prices);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, prices);
    }

    private Line line(Effort effort, long count, long bytes) {
        return new Line(effort, count, bytes, prices.get(effort).of(count, bytes));
    }
}
