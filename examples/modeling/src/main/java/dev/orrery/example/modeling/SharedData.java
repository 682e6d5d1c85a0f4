package dev.orrery.example.modeling;

import com.azure.cosmos.models.SqlParameter;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Stocks that many portfolios hold: each portfolio with their quotes, or with their symbols only. */
final class SharedData {
    static final String SHOW = "show a portfolio";
    static final String CHANGE = "change a quote";

    private static final int PORTFOLIOS = 20;
    private static final int STOCKS = 10;
    private static final int HOLDINGS = 5;

    /** A stock, as it is traded at the moment; its symbol is its id. */
    record Stock(
            String id,
            String symbol,
            double open,
            double high,
            double low,
            long vol,
            @JsonProperty("mkt-cap") long marketCap,
            double pe) {}

    record Holding(int numberHeld, Stock stock) {}

    record Portfolio(String id, String owner, List<Holding> holdings) {}

    interface Portfolios {
        void list(Stock stock);

        /** Of stocks that are listed. */
        void save(Portfolio portfolio);

        Portfolio read(String id);

        void change(Stock stock);
    }

    /** Every holding has a reference to its stock. */
    static final class Referenced implements Portfolios {
        private record HoldingRow(int numberHeld, String stockId) {}

        private record PortfolioRow(String id, String owner, List<HoldingRow> holdings) {}

        private final Container portfolios;
        private final Container stocks;

        Referenced(Workbench bench) {
            portfolios = bench.container("portfoliosWithReferences", "/id");
            stocks = bench.container("stocks", "/id");
        }

        @Override
        public void list(Stock stock) {
            stocks.create(stock.id(), stock);
        }

        @Override
        public void save(Portfolio portfolio) {
            var holdings = portfolio.holdings().stream()
                    .map(holding ->
                            new HoldingRow(holding.numberHeld(), holding.stock().id()))
                    .toList();
            portfolios.create(portfolio.id(), new PortfolioRow(portfolio.id(), portfolio.owner(), holdings));
        }

        @Override
        public Portfolio read(String id) {
            var portfolio = portfolios.read(id, id, PortfolioRow.class);
            var stockIds =
                    portfolio.holdings().stream().map(HoldingRow::stockId).toList();
            var found = stocks.readMany(stockIds, Stock.class).stream()
                    .collect(Collectors.toMap(Stock::id, Function.identity()));
            var holdings = portfolio.holdings().stream()
                    .map(holding -> new Holding(holding.numberHeld(), found.get(holding.stockId())))
                    .toList();
            return new Portfolio(id, portfolio.owner(), holdings);
        }

        @Override
        public void change(Stock stock) {
            stocks.replace(stock.id(), stock.id(), stock);
        }
    }

    /** Every holding has a copy of its stock. */
    static final class Embedded implements Portfolios {
        private static final String HOLDERS =
                "SELECT * FROM p WHERE EXISTS(SELECT VALUE h FROM h IN p.holdings WHERE h.stock.symbol = @symbol)";

        private final Container portfolios;

        Embedded(Workbench bench) {
            portfolios = bench.container("portfoliosWithQuotes", "/id");
        }

        @Override
        public void list(Stock stock) {
            // There is nothing to write before somebody holds it.
        }

        @Override
        public void save(Portfolio portfolio) {
            portfolios.create(portfolio.id(), portfolio);
        }

        @Override
        public Portfolio read(String id) {
            return portfolios.read(id, id, Portfolio.class);
        }

        @Override
        public void change(Stock stock) {
            var symbol = new SqlParameter("@symbol", stock.symbol());
            for (var portfolio : portfolios.queryAll(Portfolio.class, HOLDERS, symbol)) {
                var holdings = portfolio.holdings().stream()
                        .map(holding -> holding.stock().id().equals(stock.id())
                                ? new Holding(holding.numberHeld(), stock)
                                : holding)
                        .toList();
                var id = portfolio.id();
                portfolios.replace(id, id, new Portfolio(id, portfolio.owner(), holdings));
            }
        }
    }

    private SharedData() {}

    static TradeOff measure(Workbench bench) {
        var comparison = bench.compare("referenced", new Referenced(bench), "embedded", new Embedded(bench));
        comparison.prepare(portfolios -> {
            IntStream.range(0, STOCKS).forEach(number -> portfolios.list(stock(number, 0)));
            IntStream.range(0, PORTFOLIOS).forEach(number -> portfolios.save(portfolio(number)));
        });
        comparison.measure(
                CHANGE,
                (portfolios, number) -> portfolios.change(stock(number % STOCKS, 1 + number)),
                // The portfolio with the same number as a stock holds it, among others.
                (portfolios, number) -> portfolios.read(portfolioId(number % STOCKS)));
        comparison.measure(SHOW, (portfolios, number) -> portfolios.read(portfolioId(number % PORTFOLIOS)));
        return comparison.tradeOff();
    }

    static Stock stock(int number, int trade) {
        var symbol = "STK" + number;
        double price = 100 + number + trade / 100.0;
        return new Stock(symbol, symbol, price, price + 2, price - 2, 10_000_000L + trade, 5_000_000_000L, 21.5);
    }

    static Portfolio portfolio(int number) {
        var holdings = IntStream.range(0, HOLDINGS)
                .mapToObj(i -> new Holding(100 * (i + 1), stock((number + i) % STOCKS, 0)))
                .toList();
        return new Portfolio(portfolioId(number), "owner-" + number, holdings);
    }

    static String portfolioId(int number) {
        return "portfolio-" + number;
    }
}
