package dev.orrery.example.modeling;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Has two models of the same data do the same tasks, insists on the same answers, and keeps what each of them took.
 *
 * @param <M> what both models can do
 */
final class Comparison<M> {
    /** A task with an answer; the number is another one in every run, counting from 0. */
    interface Question<M> {
        Object ask(M model, int number);
    }

    /** A task without an answer. */
    interface Change<M> {
        void make(M model, int number);
    }

    private final Meter meter;
    private final int runs;
    private final String pattern;
    private final M first;
    private final String opposite;
    private final M second;
    private final List<Row> rows = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();

    Comparison(Meter meter, int runs, String pattern, M first, String opposite, M second) {
        this.meter = meter;
        this.runs = runs;
        this.pattern = pattern;
        this.first = first;
        this.opposite = opposite;
        this.second = second;
    }

    /** How many numbers a task sees, those of the runs to warm up included. */
    int numbers() {
        return 2 * runs;
    }

    /** Does the same to both models without measuring it. */
    void prepare(Consumer<M> action) {
        action.accept(first);
        action.accept(second);
    }

    void measure(String task, Question<M> question) {
        var costs = new Costs(task);
        for (int number = 0; number < numbers(); number++) {
            var answer = costs.run(costs.first, first, question, number);
            expectSame(task, answer, costs.run(costs.second, second, question, number));
        }
        rows.add(costs.row());
    }

    /** @param look the question whose answers show afterwards that both have made the same change; not measured */
    void measure(String task, Change<M> change, Question<M> look) {
        var costs = new Costs(task);
        Question<M> silent = (model, number) -> {
            change.make(model, number);
            return "";
        };
        for (int number = 0; number < numbers(); number++) {
            costs.run(costs.first, first, silent, number);
            costs.run(costs.second, second, silent, number);
            expectSame(task, look.ask(first, number), look.ask(second, number));
        }
        rows.add(costs.row());
    }

    void find(String finding) {
        findings.add(finding);
    }

    TradeOff tradeOff() {
        return new TradeOff(pattern, opposite, rows, findings);
    }

    private void expectSame(String task, Object answer, Object other) {
        if (!answer.equals(other)) {
            throw new IllegalStateException("To " + task + " gives " + answer + " in the model '" + pattern + "' but "
                    + other + " in the model '" + opposite + "'.");
        }
    }

    /** The costs of all runs of one task. */
    private final class Costs {
        private final String task;
        private final List<Cost> first = new ArrayList<>();
        private final List<Cost> second = new ArrayList<>();

        Costs(String task) {
            this.task = task;
        }

        /** Both models take turns, so that whatever else the machine does disturbs both of them. */
        Object run(List<Cost> costs, M model, Question<M> question, int number) {
            double before = meter.requestUnits();
            long start = System.nanoTime();
            var answer = question.ask(model, number);
            double millis = (System.nanoTime() - start) / 1e6;
            if (number >= runs) {
                costs.add(new Cost(meter.requestUnits() - before, millis));
            }
            return answer;
        }

        Row row() {
            return new Row(task, median(first), median(second));
        }
    }

    private static Cost median(List<Cost> costs) {
        return new Cost(
                median(costs.stream().mapToDouble(Cost::requestUnits).toArray()),
                median(costs.stream().mapToDouble(Cost::millis).toArray()));
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        int middle = values.length / 2;
        return values.length % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    }
}
