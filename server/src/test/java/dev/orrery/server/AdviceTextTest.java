package dev.orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.engine.advice.Advice;
import dev.orrery.engine.advice.ContainerUse;
import dev.orrery.engine.advice.ContainerUse.QueryUse;
import dev.orrery.engine.advice.Finding;
import dev.orrery.engine.advice.Finding.Charge;
import dev.orrery.engine.advice.Finding.Kind;
import dev.orrery.engine.advice.Finding.Upkeep;
import dev.orrery.engine.catalog.Location;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue.Obj;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdviceTextTest {
    private static final Instant SINCE = Instant.parse("2026-11-16T14:40:16.5Z");
    private static final Finding FINDING = new Finding(
            Kind.FAN_OUT,
            new Location("shop", "orders"),
            "A query of 'orders' by /user asks every physical partition",
            List.of("SELECT * FROM c WHERE c.user = @user", "40 calls"),
            "Keep a copy of these items under the partition key /user.",
            new Charge("call", 40, 10.5, 2.8, new Upkeep(50, 100)));

    private static final ContainerUse USE = new ContainerUse(
            new Location("shop", "orders"),
            12_305,
            600.5,
            List.of(new QueryUse("SELECT * FROM c WHERE c.user = @user", false, 1_040, 10.5, 5, 12.25, 3)));
    private static final ContainerUse OTHER_USE =
            new ContainerUse(new Location("other", "things"), 40, 78.4, List.of());

    private static List<String> lines(Advice advice, Optional<String> database, int columns) {
        return new AdviceText(sent(advice), database).lines(columns);
    }

    /** As it comes over the wire. */
    private static Obj sent(Advice advice) {
        return (Obj) JsonReader.parse(CompactJson.text(AdviceReport.json(advice)));
    }

    @Test
    void eachPieceOfAdviceHasWhatWasSeenWhatToDoAndWhatThatSaves() {
        var advice = new Advice(SINCE, List.of(USE, OTHER_USE), List.of(FINDING));
        assertThat(lines(advice, Optional.empty(), 110))
                .containsExactly(
                        "Of 12,345 requests since 2026-11-16T14:40:16Z, 678.90 RU. What would save the most comes"
                                + " first.",
                        "",
                        "1. shop/orders: A query of 'orders' by /user asks every physical partition.",
                        "   - SELECT * FROM c WHERE c.user = @user",
                        "   - 40 calls",
                        "   > Keep a copy of these items under the partition key /user.",
                        "   = 10.50 -> 2.80 RU for each call; 308.00 RU less for the 40 so far, and 100.00 RU more for"
                                + " writes");
    }

    @Test
    void linesAreNoWiderThanTheTerminal() {
        var advice = new Advice(SINCE, List.of(USE, OTHER_USE), List.of(FINDING));
        assertThat(lines(advice, Optional.empty(), 40))
                .hasSizeGreaterThan(10)
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(40));
    }

    @Test
    void oneDatabaseCanBeAskedAbout() {
        var advice = new Advice(SINCE, List.of(USE, OTHER_USE), List.of(FINDING));
        assertThat(lines(advice, Optional.of("shop"), 110))
                .hasSize(7)
                .first()
                .asString()
                .startsWith("Of 12,305 requests since 2026-11-16T14:40:16Z, 600.50 RU.");
        assertThat(lines(advice, Optional.of("other"), 110))
                .first()
                .asString()
                .startsWith("There is nothing to advise for the database 'other'");
        assertThat(lines(advice, Optional.of("nosuch"), 110))
                .containsExactly("Nobody has asked anything of a database 'nosuch' since 2026-11-16T14:40:16Z. Is that"
                        + " its name?");
        assertThat(new AdviceText(sent(advice), Optional.of("other")).json().member("findings"))
                .hasToString("[]");
    }

    @Test
    void whatWasAskedIsATableOfTheShapesOfQueries() {
        var advice = new AdviceText(sent(new Advice(SINCE, List.of(USE, OTHER_USE), List.of())), Optional.empty());
        assertThat(advice.queries(110))
                .containsExactly(
                        "container    query                                 calls  RU/call  partitions  items loaded"
                                + "  rows",
                        "-----------  ------------------------------------  -----  -------  ----------  ------------"
                                + "  ----",
                        "shop/orders  SELECT * FROM c WHERE c.user = @user  1,040    10.50         5.0          12.3"
                                + "   3.0");
    }

    @Test
    void withNothingToSayItSaysWhy() {
        assertThat(lines(new Advice(SINCE, List.of(OTHER_USE), List.of()), Optional.empty(), 110))
                .anyMatch(line -> line.contains("too little to tell anything by"));
        assertThat(lines(new Advice(SINCE, List.of(USE), List.of()), Optional.empty(), 110))
                .anyMatch(line -> line.contains("Nothing that it knows would make"))
                .anyMatch(line -> line.contains("1 of the kinds of queries asks several physical"));
    }

    @Test
    void whatWouldMoveTheCursorIsSpelled() {
        var finding = new Finding(
                Kind.UNUSED_INDEX,
                FINDING.location(),
                "An index of /a\u001b[31m",
                List.of(),
                "Away with it.",
                FINDING.charge());
        assertThat(lines(new Advice(SINCE, List.of(USE), List.of(finding)), Optional.empty(), 110))
                .anyMatch(line -> line.contains("/a\\u001b[31m"));
    }
}
