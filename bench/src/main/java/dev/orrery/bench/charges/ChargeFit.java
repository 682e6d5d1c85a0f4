package dev.orrery.bench.charges;

import dev.orrery.bench.charges.BlogCharges.Cell;
import dev.orrery.bench.harness.BenchException;
import dev.orrery.engine.budget.Prices;
import dev.orrery.engine.budget.Prices.Price;
import dev.orrery.engine.budget.Prices.SizePrice;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Bill.Line;
import dev.orrery.engine.charge.Effort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hipparchus.optim.linear.LinearConstraint;
import org.hipparchus.optim.linear.LinearConstraintSet;
import org.hipparchus.optim.linear.LinearObjectiveFunction;
import org.hipparchus.optim.linear.NonNegativeConstraint;
import org.hipparchus.optim.linear.Relationship;
import org.hipparchus.optim.linear.SimplexSolver;
import org.hipparchus.optim.nonlinear.scalar.GoalType;

/**
 * Finds the prices by which the cells of the blogging platform come nearest to their references: first so that the
 * farthest is as near as can be, then so that all are near together. That is a linear program, since a charge is a sum of
 * counts times prices.
 */
final class ChargeFit {
    /** What is to be found. */
    private enum Unknown {
        STORED_HALF,
        STORED_ONE,
        STORED_TWO,
        REPLACED,
        TERM,
        TERM_KILOBYTE,
        PARTITION,
        INDEX_KEY,
        LOADED,
        LOADED_KILOBYTE,
        ROW,
        ROW_KILOBYTE,
        AGGREGATE,
        SCRIPT
    }

    private static final List<Unknown> UNKNOWNS = List.of(Unknown.values());

    /** Sizes of stored items, in KB, whose prices are to be found; what is larger costs as published in 2026. */
    private static final List<Double> SIZES = List.of(0.5, 1.0, 2.0);

    private static final double KIB = 1024;

    // A scan of 60,951 items of 400 MB in all was published as 4,059.95: what an item that gives no row costs.
    private static final double SCANNED_ITEMS = 60_951;
    private static final double SCANNED_KILOBYTES = 400 * KIB;
    private static final double SCAN = 4_059.95;

    /** Within which a probe of a physical partition lies, by all that is published. */
    private static final double PARTITION_LEAST = 2.3;

    private static final double PARTITION_MOST = 2.8;

    /** Above the least possible error, to have all errors small together. */
    private static final double LEEWAY = 0.002;

    /** A charge: prices times these weights, and something that is known. */
    @SuppressWarnings("ArrayRecordComponent") // A carrier; nobody compares it.
    private record Sum(double[] weights, double known) {}

    private final Prices published;
    private final List<Cell> cells;
    private final List<Sum> sums;

    /** @param published where the prices come from that are not looked for */
    ChargeFit(Prices published, List<Cell> cells) {
        this.published = published;
        this.cells = List.copyOf(cells);
        this.sums = cells.stream().map(cell -> sum(cell.bill())).toList();
    }

    // ---- charges as sums ----

    private Sum sum(Bill bill) {
        var weights = new double[UNKNOWNS.size()];
        double known = 0;
        for (var line : bill.lines()) {
            double kilobytes = line.bytes() / KIB;
            switch (line.effort()) {
                case ITEM_CREATED -> addStored(weights, line);
                case VERSIONS_REPLACED -> weights[at(Unknown.REPLACED)] += line.count();
                case TERMS_WRITTEN, TERMS_REMOVED -> {
                    weights[at(Unknown.TERM)] += line.count();
                    weights[at(Unknown.TERM_KILOBYTE)] += kilobytes;
                }
                case RANGES_PROBED -> weights[at(Unknown.PARTITION)] += line.count();
                case INDEX_KEYS -> weights[at(Unknown.INDEX_KEY)] += line.count();
                case ITEMS_LOADED -> {
                    weights[at(Unknown.LOADED)] += line.count();
                    weights[at(Unknown.LOADED_KILOBYTE)] += kilobytes;
                }
                case RESULT -> {
                    weights[at(Unknown.ROW)] += line.count();
                    weights[at(Unknown.ROW_KILOBYTE)] += kilobytes;
                }
                case AGGREGATES -> weights[at(Unknown.AGGREGATE)] += line.count();
                case SCRIPT_CALLS -> weights[at(Unknown.SCRIPT)] += line.count();
                case ITEM_READ -> known += line.requestUnits();
                case METADATA, ITEM_DELETED, PATCH_STEPS, CONSISTENCY ->
                    throw new BenchException("A request of the platform does what it should not: " + line);
            }
        }
        return new Sum(weights, known);
    }

    private static void addStored(double[] weights, Line line) {
        double size = line.bytes() / KIB / line.count();
        if (size > SIZES.getLast()) {
            throw new BenchException("An item is larger than the reference suggests: " + line);
        }
        int above = 0;
        while (SIZES.get(above) < size) {
            above++;
        }
        int below = Math.max(0, above - 1);
        double share = above == 0 ? 0 : (size - SIZES.get(below)) / (SIZES.get(above) - SIZES.get(below));
        weights[at(Unknown.STORED_HALF) + above] += line.count() * (above == 0 ? 1 : share);
        weights[at(Unknown.STORED_HALF) + below] += line.count() * (above == 0 ? 0 : 1 - share);
    }

    // ---- the linear program ----

    /** The prices in the form of a list. */
    Prices prices(String name) {
        double least = solve(worst(), Double.MAX_VALUE)[worst()];
        return list(name, solve(-1, least + LEEWAY));
    }

    /** The variable that stands for the worst error; those for the errors of cells come behind it. */
    private static int worst() {
        return UNKNOWNS.size();
    }

    private static int at(Unknown unknown) {
        return UNKNOWNS.indexOf(unknown);
    }

    /** @param target the variable to be made small, or -1 for the sum of all errors */
    private double[] solve(int target, double worstMost) {
        int variables = worst() + 1 + cells.size();
        var constraints = new ArrayList<LinearConstraint>();
        for (int cell = 0; cell < cells.size(); cell++) {
            double reference = cells.get(cell).reference();
            for (int sign : new int[] {1, -1}) {
                // sign * (charge - reference) / reference <= error of the cell <= worst error
                var row = new double[variables];
                for (int i = 0; i < worst(); i++) {
                    row[i] = sign * sums.get(cell).weights()[i] / reference;
                }
                row[worst() + 1 + cell] = -1;
                double known = sign * (1 - sums.get(cell).known() / reference);
                constraints.add(new LinearConstraint(row, Relationship.LEQ, known));
            }
            var bound = new double[variables];
            bound[worst() + 1 + cell] = 1;
            bound[worst()] = -1;
            constraints.add(new LinearConstraint(bound, Relationship.LEQ, 0));
        }
        if (worstMost < Double.MAX_VALUE) {
            constraints.add(atMost(variables, worst(), worstMost));
        }
        addKnown(constraints, variables);
        var goal = new double[variables];
        if (target >= 0) {
            goal[target] = 1;
        } else {
            Arrays.fill(goal, worst() + 1, variables, 1);
        }
        return new SimplexSolver()
                .optimize(
                        new LinearObjectiveFunction(goal, 0),
                        new LinearConstraintSet(constraints),
                        GoalType.MINIMIZE,
                        new NonNegativeConstraint(true))
                .getPoint();
    }

    /** What is known besides the cells. */
    private void addKnown(List<LinearConstraint> constraints, int variables) {
        constraints.add(atMost(variables, at(Unknown.PARTITION), PARTITION_MOST));
        constraints.add(atLeast(variables, at(Unknown.PARTITION), PARTITION_LEAST));
        // Nothing that is counted is free.
        constraints.add(atLeast(variables, at(Unknown.TERM), 0.03));
        constraints.add(atLeast(variables, at(Unknown.INDEX_KEY), 0.005));
        constraints.add(atLeast(variables, at(Unknown.ROW_KILOBYTE), 0.01));
        constraints.add(atLeast(variables, at(Unknown.SCRIPT), 0.05));
        constraints.add(atLeast(variables, at(Unknown.LOADED), 0.005));
        constraints.add(atLeast(variables, at(Unknown.LOADED_KILOBYTE), 0.002));
        var scan = new double[variables];
        scan[at(Unknown.LOADED)] = SCANNED_ITEMS;
        scan[at(Unknown.LOADED_KILOBYTE)] = SCANNED_KILOBYTES;
        scan[at(Unknown.PARTITION)] = 1;
        constraints.add(new LinearConstraint(scan, Relationship.EQ, SCAN));
        // Larger items never cost less.
        for (int size = 1; size < SIZES.size(); size++) {
            var rising = new double[variables];
            rising[at(Unknown.STORED_HALF) + size - 1] = 1;
            rising[at(Unknown.STORED_HALF) + size] = -1;
            constraints.add(new LinearConstraint(rising, Relationship.LEQ, 0));
        }
        double next = published.of(Effort.ITEM_CREATED).sizes().stream()
                .filter(size -> size.kilobytes() > SIZES.getLast())
                .findFirst()
                .orElseThrow()
                .requestUnits();
        constraints.add(atMost(variables, at(Unknown.STORED_TWO), next));
    }

    private static LinearConstraint atMost(int variables, int variable, double bound) {
        return single(variables, variable, Relationship.LEQ, bound);
    }

    private static LinearConstraint atLeast(int variables, int variable, double bound) {
        return single(variables, variable, Relationship.GEQ, bound);
    }

    private static LinearConstraint single(int variables, int variable, Relationship relationship, double bound) {
        var row = new double[variables];
        row[variable] = 1;
        return new LinearConstraint(row, relationship, bound);
    }

    // ---- the list ----

    private Prices list(String name, double[] found) {
        var prices = new EnumMap<Effort, Price>(Effort.class);
        for (var effort : Effort.values()) {
            prices.put(effort, published.of(effort));
        }
        var stored = new ArrayList<SizePrice>();
        for (int size = 0; size < SIZES.size(); size++) {
            stored.add(new SizePrice(SIZES.get(size), rounded(found[at(Unknown.STORED_HALF) + size])));
        }
        published.of(Effort.ITEM_CREATED).sizes().stream()
                .filter(size -> size.kilobytes() > SIZES.getLast())
                .forEach(stored::add);
        var term = price(found, Unknown.TERM, Unknown.TERM_KILOBYTE);
        prices.putAll(Map.of(
                Effort.ITEM_CREATED,
                new Price(0, 0, stored),
                Effort.VERSIONS_REPLACED,
                new Price(0, 0, replaced(stored, found[at(Unknown.REPLACED)])),
                Effort.ITEM_DELETED,
                new Price(0, 0, stored),
                Effort.TERMS_WRITTEN,
                term,
                Effort.TERMS_REMOVED,
                term,
                Effort.ITEMS_LOADED,
                price(found, Unknown.LOADED, Unknown.LOADED_KILOBYTE),
                Effort.RESULT,
                price(found, Unknown.ROW, Unknown.ROW_KILOBYTE)));
        prices.put(Effort.RANGES_PROBED, each(found, Unknown.PARTITION));
        prices.put(Effort.INDEX_KEYS, each(found, Unknown.INDEX_KEY));
        prices.put(Effort.AGGREGATES, each(found, Unknown.AGGREGATE));
        prices.put(Effort.SCRIPT_CALLS, each(found, Unknown.SCRIPT));
        return new Prices(name, prices);
    }

    /** The same sizes, at a share of their prices: all versions that the platform replaces are of about one size. */
    private static List<SizePrice> replaced(List<SizePrice> stored, double found) {
        double share = found / stored.get(SIZES.size() - 1).requestUnits();
        return stored.stream()
                .map(size -> new SizePrice(size.kilobytes(), rounded(size.requestUnits() * share)))
                .toList();
    }

    private static Price each(double[] found, Unknown unknown) {
        return new Price(rounded(found[at(unknown)]), 0, List.of());
    }

    private static Price price(double[] found, Unknown each, Unknown perKilobyte) {
        return new Price(rounded(found[at(each)]), rounded(found[at(perKilobyte)]), List.of());
    }

    private static double rounded(double price) {
        return Math.round(price * 10_000) / 10_000.0;
    }
}
