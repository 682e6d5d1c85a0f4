package dev.orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class WritingReportTest {
    @Test
    void whereOneRegionWritesThereIsNothingToTell() throws IOException {
        assertThat(lines("{'region':'West US'}")).isEmpty();
    }

    @Test
    void aRegionThatIsNotTheHubTellsWhatItWaitsFor() throws IOException {
        assertThat(lines("{'takesItems':true,'unsettledWrites':3,'settled':{'accepted':0,'conflicts':{}}}"))
                .containsExactly("", "All regions take writes of items. 3 of this one are not settled yet.");
    }

    @Test
    void theHubTellsHowConflictsHaveEndedByTheirKind() throws IOException {
        assertThat(lines("""
            {'takesItems':true,'unsettledWrites':0,
             'confirmed':{'timed':4,'averageMillis':83.6,'lastMillis':81.2},
             'settled':{'accepted':7,'lost':2,'merged':1,
                        'conflicts':{'unique_key':{'merged':1},'create':{'lost':2}}}}
            """))
                .containsExactly(
                        "",
                        "All regions take writes of items. 0 of this one are not settled yet; it takes 84 ms until one"
                                + " is, 81 ms last time.",
                        "As the hub it has settled 10 writes since its start; the conflicts among them:",
                        "",
                        "conflict    patched  won  lost  merged  kept",
                        "----------  -------  ---  ----  ------  ----",
                        "create            0    0     2       0     0",
                        "unique key        0    0     0       1     0");
    }

    private static List<String> lines(String json) throws IOException {
        JsonNode status = new ObjectMapper().readTree(json.replace('\'', '"'));
        return WritingReport.lines(status);
    }
}
