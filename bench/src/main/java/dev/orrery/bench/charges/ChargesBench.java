package dev.orrery.bench.charges;

import dev.orrery.bench.charges.BlogCharges.Cell;
import dev.orrery.bench.charges.BlogCharges.Unknowns;
import dev.orrery.bench.harness.Report;
import dev.orrery.engine.budget.PriceLists;
import dev.orrery.engine.budget.Prices;
import dev.orrery.engine.budget.Work;
import dev.orrery.engine.charge.Bill;
import dev.orrery.engine.charge.Effort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Fits the prices of request units to the published figures, and tells how far each is from ours. */
@Command(
        name = "charges",
        description = {
            "Counts the work of the blogging platform's requests, finds the prices that come nearest to its published"
                    + " charges, and compares every published charge with ours.",
            "Nothing is timed, so that the result is the same on any machine; takes about half a minute."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class ChargesBench implements Callable<Integer> {
    private static final String PUBLISHED = "2026";

    @Option(names = "--markdown", paramLabel = "FILE", description = "Also put the tables into this page.")
    private Path page;

    @Option(
            names = "--write",
            paramLabel = "FILE",
            description = "Put the prices found into this file, in place of those that it has for 2019.")
    private Path file;

    private final Report report = new Report("charges");

    @Override
    public Integer call() throws IOException {
        var sizes = PriceLists.find(PUBLISHED).orElseThrow();
        List<Cell> cells;
        try (var blog = new BlogCharges(Unknowns.CHOSEN)) {
            cells = blog.cells();
        }
        var found = new ChargeFit(sizes, cells).prices(PriceLists.DEFAULT);
        // Of queries and scripts nothing was published later.
        var published = sizes.withOthersOf(found);
        if (file != null) {
            new PriceFile(file).write(found, published);
        }
        compareCells(cells, found, published);
        compareFigures(found, published);
        printPrices(found, published);
        System.out.println(report.text());
        System.out.println(
                found.equals(PriceLists.byDefault())
                        ? "These are the prices that Orrery uses."
                        : "Orrery uses other prices than these; --write "
                                + "engine/src/main/resources/dev/orrery/engine/budget/" + PriceLists.FILE
                                + " makes them its own.");
        Optional.ofNullable(page).ifPresent(report::writeInto);
        return 0;
    }

    private void compareCells(List<Cell> cells, Prices found, Prices published) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("request", "model", "reference", "2019", "error", "2026", "error"));
        double worst = 0;
        for (var cell : cells) {
            double ours = charge(cell, found);
            rows.add(row(Stream.of(cell.request(), cell.version()), cell.reference(), ours, charge(cell, published)));
            worst = Math.max(worst, Math.abs(ours / cell.reference() - 1));
        }
        report.addTable("The blogging platform", rows);
        report.add(String.format(
                Locale.ROOT, "The farthest from its reference is off by %.1f %% with the list of 2019.", worst * 100));
    }

    /** Priced anew: the bill of the cell was made with the prices in use. */
    private static double charge(Cell cell, Prices prices) {
        var work = new Work();
        cell.bill().lines().forEach(line -> work.add(line.effort(), line.count(), line.bytes()));
        return prices.bill(work).requestUnits();
    }

    private void compareFigures(Prices found, Prices published) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("what", "published", "reference", "2019", "error", "2026", "error"));
        for (var figure : PublishedCharges.all()) {
            rows.add(row(
                    Stream.of(figure.what(), Integer.toString(figure.year())),
                    figure.reference(),
                    total(found.bill(figure.work(), figure.caller())),
                    total(published.bill(figure.work(), figure.caller()))));
        }
        report.addTable("Everything else that was published", rows);
    }

    private static double total(Bill bill) {
        return bill.requestUnits();
    }

    private static List<String> row(Stream<String> names, double reference, double ours, double other) {
        return Stream.concat(
                        names,
                        Stream.of(
                                two(reference), two(ours), error(ours, reference), two(other), error(other, reference)))
                .toList();
    }

    private void printPrices(Prices found, Prices published) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("what", "2019: each", "per KB", "2026: each", "per KB"));
        for (var effort : Effort.values()) {
            rows.add(Stream.concat(
                            Stream.of("`" + effort.label() + "`"),
                            Stream.of(found, published)
                                    .flatMap(list -> Stream.of(each(list, effort), perKilobyte(list, effort))))
                    .toList());
        }
        report.addTable("The prices", rows);
    }

    private static String each(Prices list, Effort effort) {
        var price = list.of(effort);
        return price.sizes().isEmpty()
                ? number(price.each())
                : "by size, " + number(price.sizes().getFirst().requestUnits()) + " up to "
                        + number(price.sizes().getFirst().kilobytes()) + " KB";
    }

    private static String perKilobyte(Prices list, Effort effort) {
        double price = list.of(effort).perKilobyte();
        return price == 0 ? "" : number(price);
    }

    private static String number(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    private static String two(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String error(double ours, double reference) {
        return String.format(Locale.ROOT, "%+.1f %%", (ours / reference - 1) * 100);
    }
}
