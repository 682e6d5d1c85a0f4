package dev.orrery.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.bench.harness.LinePlot.Line;
import dev.orrery.bench.harness.LinePlot.Point;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;

class LinePlotTest {
    private static final LinePlot PLOT = new LinePlot(
            "cost",
            "items",
            "µs",
            List.of(
                    new Line("reads", List.of(new Point(1_000, 30), new Point(10_000, 32))),
                    new Line("a < b & c", List.of(new Point(1_000, 90), new Point(10_000, 410)))));

    @Test
    void aPlotIsWellFormedAndEverythingIsInsideIt() throws Exception {
        var document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(PLOT.svg().getBytes(StandardCharsets.UTF_8)));
        var circles = document.getElementsByTagName("circle");
        assertThat(circles.getLength()).isEqualTo(4);
        assertThat(IntStream.range(0, 4)
                        .mapToObj(circles::item)
                        .mapToDouble(circle -> Double.parseDouble(
                                circle.getAttributes().getNamedItem("cy").getNodeValue())))
                .allMatch(y -> y >= 50 && y <= 360);
        assertThat(document.getDocumentElement().getTextContent()).contains("a < b & c", "10,000", "500", "20");
    }

    @Test
    void oneSizeAloneIsAPlotAsWell() {
        var plot = new LinePlot("cost", "items", "µs", List.of(new Line("reads", List.of(new Point(1_000, 30)))));
        assertThat(plot.svg()).doesNotContain("NaN", "Infinity");
    }
}
