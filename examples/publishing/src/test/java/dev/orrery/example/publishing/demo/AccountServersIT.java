package dev.orrery.example.publishing.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The servers of an account are as far apart as they are to be. */
class AccountServersIT {
    private static final Map<String, String> HALF_OF_THE_WAY = Map.of("North Europe", "delayed by 40 ms");
    private static final Map<String, String> THE_OTHER_HALF = Map.of("West US", "delayed by 40 ms");

    @TempDir
    Path folder;

    @Test
    void regionsAreApartFromTheStartAndAfterALoss() {
        var account = AccountServers.start(
                Path.of(System.getProperty("orrery.home")),
                folder,
                "contentpubdatabase-test",
                Region.WEST_US,
                List.of(Region.WEST_US, Region.NORTH_EUROPE),
                List.of());
        try {
            account.setApart(Duration.ofMillis(80));
            assertThat(faults(account, Region.WEST_US)).isEqualTo(HALF_OF_THE_WAY);
            assertThat(faults(account, Region.NORTH_EUROPE)).isEqualTo(THE_OTHER_HALF);
            account.kill(Region.WEST_US);
            account.restart(Region.WEST_US);
            assertThat(faults(account, Region.WEST_US)).isEqualTo(HALF_OF_THE_WAY);
        } finally {
            account.kill();
        }
    }

    private static Map<String, String> faults(AccountServers account, Region region) {
        var faults = new HashMap<String, String>();
        account.status(region)
                .orElseThrow()
                .path("faults")
                .properties()
                .forEach(fault -> faults.put(fault.getKey(), fault.getValue().asText()));
        return faults;
    }
}
