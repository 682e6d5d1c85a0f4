package dev.orrery.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** All regions of an account on this machine, each a process of its own with a port and a data folder. */
final class RegionProcesses implements AutoCloseable {
    private static final int PORTS_APART = 10;
    private static final int COUNCIL_PORT_AFTER = 2;
    private static final String READY = "Orrery is ready";
    private static final int LOOK_MILLIS = 50;
    private static final int ANSWER_MILLIS = 5_000;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<Region> regions = new ArrayList<>();
    private final PrintStream out = System.out;
    private final CountDownLatch ready;
    private final CountDownLatch ended;

    private record Region(String name, int port, Path data, Process process) {}

    /**
     * Starts them.
     *
     * @param port of the first; the others have ports further on, or free ones when it is 0
     * @param data the folder of each is in it
     * @param arguments of the command that all get besides
     */
    RegionProcesses(List<String> names, int port, Path data, List<String> arguments) {
        this.ready = new CountDownLatch(names.size());
        this.ended = new CountDownLatch(names.size());
        var ports = ports(names.size(), port);
        var councils = port == 0
                ? ports(names.size(), 0)
                : ports.stream().map(one -> one + COUNCIL_PORT_AFTER).toList();
        var list = new ArrayList<String>();
        for (int place = 0; place < names.size(); place++) {
            list.add(names.get(place) + "=http://localhost:" + ports.get(place) + "/?council=" + councils.get(place));
        }
        for (int place = 0; place < names.size(); place++) {
            var told = RegionOptions.member(list.get(place));
            CharterFile.in(folder(data, names.get(place)))
                    .load()
                    .ifPresent(charter -> CharterFile.demandPlace(charter, told));
        }
        for (int place = 0; place < names.size(); place++) {
            regions.add(start(names.get(place), ports.get(place), data, String.join(",", list), arguments));
        }
    }

    private static List<Integer> ports(int count, int first) {
        var ports = new ArrayList<Integer>();
        var sockets = new ArrayList<ServerSocket>();
        try {
            for (int place = 0; place < count; place++) {
                if (first != 0) {
                    ports.add(first + place * PORTS_APART);
                } else {
                    var socket = new ServerSocket(0);
                    sockets.add(socket);
                    ports.add(socket.getLocalPort());
                }
            }
            for (var socket : sockets) {
                socket.close();
            }
            return ports;
        } catch (IOException none) {
            throw new UncheckedIOException("finds no free port", none);
        }
    }

    private static Path folder(Path data, String name) {
        return data.resolve(name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-"));
    }

    private Region start(String name, int port, Path data, String list, List<String> arguments) {
        var folder = folder(data, name);
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Main.class.getName());
        command.add("start");
        command.addAll(arguments);
        command.addAll(List.of("--region", name, "--regions", list, "--port", Integer.toString(port)));
        command.addAll(List.of("--data", folder.toString()));
        try {
            var process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            var region = new Region(name, port, folder, process);
            Thread.ofPlatform().name("region " + name).daemon().start(() -> listen(region));
            return region;
        } catch (IOException unable) {
            throw new UncheckedIOException("cannot start another process", unable);
        }
    }

    /** Passes on what a region says once all are there, and tells when it is ready and when it ends. */
    private void listen(Region region) {
        boolean counted = false;
        try (BufferedReader lines = region.process().inputReader()) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(READY) && !counted) {
                    counted = true;
                    out.printf(
                            "  %-16s http://localhost:%d   data in %s, process %d%n",
                            region.name(),
                            region.port(),
                            region.data(),
                            region.process().pid());
                    ready.countDown();
                }
            }
            out.println(
                    region.name() + " has ended, with code " + region.process().waitFor() + ".");
        } catch (IOException gone) {
            out.println(region.name() + " has ended.");
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        } finally {
            if (!counted) {
                ready.countDown();
            }
            ended.countDown();
        }
    }

    /** Waits until all are ready, then until all have ended. */
    void await() throws InterruptedException {
        ready.await();
        awaitWriter().ifPresent(writer -> {
            out.println("Orrery is ready in " + regions.size() + " regions; " + writer.name()
                    + " takes the writes: http://localhost:" + writer.port());
            out.flush();
        });
        ended.await();
    }

    /** The one that takes the writes: they need a moment to agree on it. None when one of them has ended instead. */
    private Optional<Region> awaitWriter() throws InterruptedException {
        var writer = Optional.<Region>empty();
        while (writer.isEmpty()
                && regions.stream().allMatch(region -> region.process().isAlive())) {
            writer = regions.stream().filter(RegionProcesses::takesWrites).findFirst();
            Thread.sleep(LOOK_MILLIS);
        }
        return writer;
    }

    private static boolean takesWrites(Region region) {
        var address = URI.create("http://localhost:" + region.port() + RunningRegion.REGIONS_PATH);
        try {
            var connection = address.toURL().openConnection();
            connection.setConnectTimeout(ANSWER_MILLIS);
            connection.setReadTimeout(ANSWER_MILLIS);
            try (var body = connection.getInputStream()) {
                return JSON.readTree(body).path("role").asText().equals("writes");
            }
        } catch (IOException _) {
            return false; // It is about to end.
        }
    }

    @Override
    public void close() {
        regions.forEach(region -> region.process().destroy());
        for (var region : regions) {
            try {
                region.process().waitFor();
            } catch (InterruptedException ending) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
