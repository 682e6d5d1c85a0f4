package dev.orrery.conformance.regions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.CosmosContainerProperties;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.orrery.conformance.Await;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A region that takes writes leaves its account without taking any of them along. */
class DepartureIT {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void whatARegionHasAcknowledgedIsSettledBeforeItIsCountedOut() {
        try (var regions = new WritingRegions(folder)) {
            var account = regions.account();
            var container = regions.create(new CosmosContainerProperties("c", "/pk"));
            regions.cut(WritingRegions.EAST);
            container.get(WritingRegions.EAST).createItem(item("written in a region that is cut off"));
            assertThatThrownBy(() -> account.order(WritingRegions.NORTH, "region", "remove", WritingRegions.EAST))
                    .hasMessageContaining("does not answer")
                    .hasMessageContaining("--force");

            regions.heal(WritingRegions.EAST);
            Await.until("East is counted out", () -> isCountedOut(regions, WritingRegions.EAST));
            assertThat(WritingRegions.all(container.get(WritingRegions.WEST)))
                    .containsKey("written in a region that is cut off");

            account.awaitRole(WritingRegions.WEST, "writes");
            account.server(WritingRegions.NORTH).kill();
            assertThatThrownBy(() -> account.order(WritingRegions.WEST, "region", "remove", WritingRegions.NORTH))
                    .hasMessageContaining("does not answer");
            assertThat(account.order(WritingRegions.WEST, "region", "remove", WritingRegions.NORTH, "--force"))
                    .contains("What only North Europe had is lost");
            assertThat(account.order(WritingRegions.WEST, "region", "list"))
                    .contains(WritingRegions.WEST)
                    .doesNotContain(WritingRegions.NORTH, WritingRegions.EAST);
        }
    }

    /** It may be refused for as long as the regions have not found each other again. */
    private static boolean isCountedOut(WritingRegions regions, String region) {
        try {
            return regions.account()
                    .order(WritingRegions.NORTH, "region", "remove", region)
                    .contains("no region of the account any more");
        } catch (IllegalStateException refused) {
            assertThat(refused).hasMessageNotContainingAny("is no region of this account");
            return false;
        }
    }

    private static ObjectNode item(String id) {
        return JSON.createObjectNode().put("id", id).put("pk", "p1");
    }
}
