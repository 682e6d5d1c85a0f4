package dev.orrery.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmulatorEnvironmentTest {
    @Test
    void withoutVariablesNothingIsKept() {
        assertThat(read(Map.of("PATH", "/bin", "HOST", "x")))
                .isEqualTo(new EmulatorEnvironment(Map.of("memory", "true"), List.of()));
    }

    @Test
    void theVariablesOfTheOlderEmulatorAreHeeded() {
        var read = read(Map.of(
                "AZURE_COSMOS_EMULATOR_ENABLE_DATA_PERSISTENCE", "true",
                "AZURE_COSMOS_EMULATOR_IP_ADDRESS_OVERRIDE", "10.0.0.7",
                "AZURE_COSMOS_EMULATOR_KEY", "a2V5",
                "AZURE_COSMOS_EMULATOR_PARTITION_COUNT", "3",
                "AZURE_COSMOS_EMULATOR_ENABLE_MONGODB_ENDPOINT", "4.0"));
        assertThat(read.settings())
                .isEqualTo(Map.of("memory", "false", "advertise", "https://10.0.0.7:8081", "key", "a2V5"));
        assertThat(read.notes())
                .hasSize(2)
                .anyMatch(note -> note.startsWith("AZURE_COSMOS_EMULATOR_ENABLE_MONGODB_ENDPOINT is set"))
                .anyMatch(note -> note.startsWith("AZURE_COSMOS_EMULATOR_PARTITION_COUNT has no effect"));
    }

    @Test
    void theVariablesOfTheNewerEmulatorAreHeeded() {
        var read = read(Map.of(
                "PROTOCOL", "https",
                "PORT", "9000",
                "CERT_PATH", "server.pfx",
                "CERT_SECRET", "open sesame",
                "LOG_LEVEL", "trace",
                "DATA_PATH", "kept",
                "KEY_FILE", "key",
                "EXPLORER_PORT", "1234"));
        assertThat(read.settings())
                .isEqualTo(Map.of(
                        "memory", "false",
                        "port", "9000",
                        "certificate", "server.pfx",
                        "certificatePassword", "open sesame",
                        "logLevel", "debug",
                        "data", "kept",
                        "keyFile", "key"));
        assertThat(read.notes()).containsExactly("EXPLORER_PORT is set, and has no effect here.");
    }

    @Test
    void thePortOfTheCommandLineIsTheOneThatIsAdvertised() {
        var variables = Map.of("AZURE_COSMOS_EMULATOR_IP_ADDRESS_OVERRIDE", "10.0.0.7", "PORT", "9000");
        assertThat(EmulatorEnvironment.read(variables, Optional.of(9001)).settings())
                .containsEntry("advertise", "https://10.0.0.7:9001");
        assertThat(read(variables).settings()).containsEntry("advertise", "https://10.0.0.7:9000");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        AZURE_COSMOS_EMULATOR_IP_ADDRESS_OVERRIDE | 10.0.0.7              |                | https://10.0.0.7:8081
        AZURE_COSMOS_EMULATOR_IP_ADDRESS_OVERRIDE | 10.0.0.7              | http           | http://10.0.0.7:8081
        AZURE_COSMOS_EMULATOR_IP_ADDRESS_OVERRIDE | 10.0.0.7              | HTTPS-insecure | https://10.0.0.7:8081
        AZURE_COSMOS_EMULATOR_IP_ADDRESS_OVERRIDE | fe80::7               |                | https://[fe80::7]:8081
        GATEWAY_PUBLIC_ENDPOINT                   | cosmos                |                | http://cosmos:8081
        GATEWAY_PUBLIC_ENDPOINT                   | cosmos                | https          | https://cosmos:8081
        GATEWAY_PUBLIC_ENDPOINT                   | cosmos:9000           | http           | http://cosmos:9000
        GATEWAY_PUBLIC_ENDPOINT                   | https://cosmos.x:9000 | http           | https://cosmos.x:9000
        """)
    void clientsAreToldTheAddressOfEither(String variable, String value, String protocol, String advertised) {
        var read = read(Map.of(variable, value, "PROTOCOL", protocol == null ? "" : protocol));
        assertThat(read.settings()).isEqualTo(Map.of("memory", "true", "advertise", advertised));
        assertThat(read.notes()).isEmpty();
    }

    @Test
    void aProtocolThatIsNoneIsNamed() {
        assertThat(read(Map.of("PROTOCOL", "gopher")).notes())
                .hasSize(1)
                .first()
                .asString()
                .contains("gopher");
        assertThat(read(Map.of("PROTOCOL", " ")).notes()).isEmpty();
    }

    private static EmulatorEnvironment read(Map<String, String> variables) {
        return EmulatorEnvironment.read(variables, Optional.empty());
    }
}
