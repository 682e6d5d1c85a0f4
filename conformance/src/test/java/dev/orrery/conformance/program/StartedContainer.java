package dev.orrery.conformance.program;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.command.LogContainerCmd;
import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.testcontainers.containers.CosmosDBEmulatorContainer;
import org.testcontainers.utility.DockerImageName;

/** The class of Testcontainers, told that what it would start in Docker is a running server. */
final class StartedContainer extends CosmosDBEmulatorContainer {
    private final Map<Integer, Integer> ports;
    private final String output;

    /**
     * @param ports  of the server, by those of the emulator
     * @param output what the server has printed
     */
    StartedContainer(Map<Integer, Integer> ports, String output) {
        super(DockerImageName.parse("mcr.microsoft.com/cosmosdb/linux/azure-cosmos-emulator"));
        this.ports = Map.copyOf(ports);
        this.output = output;
    }

    /** Waits as the module waits after a start, with the strategy that it was given. */
    void awaitStart() {
        waitUntilContainerStarted();
    }

    @Override
    public String getHost() {
        return "localhost";
    }

    @Override
    public Integer getMappedPort(int original) {
        return ports.get(original);
    }

    @Override
    public String getContainerId() {
        return "orrery";
    }

    @Override
    public InspectContainerResponse getContainerInfo() {
        return new InspectContainerResponse();
    }

    /** Only the log of the container is asked of it. */
    @Override
    public DockerClient getDockerClient() {
        return fake(
                DockerClient.class,
                (_, _, _) -> fake(LogContainerCmd.class, (command, asked, given) -> {
                    if (!asked.getName().equals("exec")) {
                        return command; // Options, such as to go on with what comes later.
                    }
                    @SuppressWarnings("unchecked") // The signature of exec says so.
                    var reader = (ResultCallback<Frame>) given[0];
                    reader.onNext(new Frame(StreamType.STDOUT, output.getBytes(StandardCharsets.UTF_8)));
                    return reader;
                }));
    }

    private static <T> T fake(Class<T> type, InvocationHandler answers) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, answers));
    }
}
