package dev.orrery.server;

import dev.orrery.engine.budget.Metering;
import dev.orrery.engine.budget.PriceLists;
import dev.orrery.engine.budget.Prices;
import java.util.Optional;
import picocli.CommandLine.Option;

/** What requests cost, and what becomes of those that cost too much. */
final class MeteringOptions {
    @Option(
            names = "--enforce-throughput",
            description = {
                "Answer 429 to what goes beyond the throughput of databases and containers.",
                "Default: everything is charged, and nothing is refused."
            })
    private boolean enforceThroughput;

    @Option(names = "--serverless", description = "Be a serverless account: containers have no throughput to set.")
    private boolean serverless;

    @Option(
            names = "--charges",
            paramLabel = "2019|2026",
            description = {
                "The price list of request units.",
                "2019 (default): fitted to the published blog example.",
                "2026: the published tables of item sizes."
            })
    private String charges;

    @Option(
            names = "--max-charge",
            paramLabel = "RU",
            description = "Refuse with 412 any request that costs more, so that a test suite fails on it.")
    private String maxCharge;

    Metering metering(Optional<ConfigurationFile> file) {
        return new Metering(
                prices(Optional.ofNullable(charges)
                        .or(() -> file.flatMap(some -> some.text("charges")))
                        .orElse(PriceLists.DEFAULT)),
                enforceThroughput || flag(file, "enforceThroughput"),
                serverless || flag(file, "serverless"),
                Optional.ofNullable(maxCharge)
                        .or(() -> file.flatMap(some -> some.text("maxCharge")))
                        .map(MeteringOptions::requestUnits));
    }

    private static boolean flag(Optional<ConfigurationFile> file, String name) {
        return file.flatMap(some -> some.flag(name)).orElse(false);
    }

    private static Prices prices(String name) {
        return PriceLists.find(name)
                .orElseThrow(() -> new UserError(
                        "The charges are one of " + String.join(", ", PriceLists.names()) + ", not '" + name + "'."));
    }

    private static double requestUnits(String text) {
        try {
            double number = Double.parseDouble(text);
            if (number > 0) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Said below, together with numbers that are too small.
        }
        throw new UserError("The maximum charge must be a number of request units above 0, not '" + text + "'.");
    }
}
