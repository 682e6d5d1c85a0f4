package dev.orrery.conformance.regions;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.orrery.conformance.Await;
import dev.orrery.conformance.javascript.NodeSuite;
import dev.orrery.conformance.server.OrreryServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/** The JavaScript SDK in a process of Node, which tells every step in a line. */
final class NodeTraffic extends Traffic {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Process process;
    private final Thread listener;

    NodeTraffic(String partition, URI endpoint, List<String> preferred, String database, String container) {
        super(partition);
        var command = new ArrayList<>(List.of("node", "traffic.js", database, container, partition));
        command.addAll(preferred);
        var builder = new ProcessBuilder(command)
                .directory(NodeSuite.FOLDER.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("ORRERY_ENDPOINT", endpoint.toString());
        builder.environment().put("ORRERY_KEY", OrreryServer.WELL_KNOWN_KEY);
        try {
            process = builder.start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        listener = Thread.ofPlatform().daemon().name(partition).start(this::listen);
    }

    private void listen() {
        try (var lines = process.inputReader()) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                var step = JSON.readTree(line);
                if (step.has("written")) {
                    wrote(step.path("written").intValue());
                } else if (step.has("read")) {
                    read();
                } else if (step.has("lost")) {
                    missed(step.path("lost").intValue());
                } else {
                    failed(step.path("failed").textValue());
                }
            }
        } catch (IOException closed) {
            failed("Node prints no more: " + closed.getMessage());
        }
    }

    @Override
    void stop() {
        try {
            process.getOutputStream().close();
            Await.end(process);
            listener.join();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        } finally {
            process.destroyForcibly();
        }
    }
}
