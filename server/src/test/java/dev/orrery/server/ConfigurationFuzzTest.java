package dev.orrery.server;

import dev.orrery.server.fuzz.Fuzz;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever is in a configuration file, it is taken or refused in words. */
class ConfigurationFuzzTest {

    @TempDir
    private Path folder;

    @Test
    void yaml() {
        var file = folder.resolve("orrery.yaml");
        Fuzz.texts(
                "YAML",
                List.of(
                        """
                        port: 8081
                        data: ./x
                        databases:
                          - id: shop
                            containers:
                              - id: orders
                                partitionKey: /customer
                                seed: [a.ndjson]
                        """,
                        "key: \"abc\"\nmemory: true\ncertificateNames: [a, b]\n",
                        "databases: &d\n- id: x\n  throughput: 400\n"),
                input -> {
                    Files.write(file, input);
                    try {
                        ConfigurationFile.read(file);
                    } catch (UserError _) {
                        // The other right answer.
                    }
                });
    }
}
