package dev.orrery.council;

import dev.orrery.region.Charter;
import dev.orrery.region.Member;
import dev.orrery.store.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import javax.crypto.spec.SecretKeySpec;

/** A member in a process of its own: each line it reads is a question or an order, each it writes begins with {@code =}. */
final class MemberProcess {
    private final Process process;
    private final BufferedReader answers;

    /** Members are named m0, m1, …; the first is the write region. */
    static Charter charter(List<Integer> ports) {
        var members = new ArrayList<Member>();
        for (int port : ports) {
            members.add(new Member("m" + members.size(), members.size(), "", "127.0.0.1:" + port, false));
        }
        return Charter.founding(members);
    }

    MemberProcess(Path folder, String name, List<Integer> ports) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Xmx64m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                MemberProcess.class.getName(),
                folder.toString(),
                name));
        ports.forEach(port -> command.add(String.valueOf(port)));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** One question, one answer: {@code state} or {@code name REGION}. */
    synchronized String ask(String question) {
        try {
            process.getOutputStream().write((question + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
            String line = answers.readLine();
            while (line != null && !line.startsWith("=")) {
                line = answers.readLine();
            }
            return line == null ? "gone" : line.substring(1);
        } catch (IOException gone) {
            return "gone";
        }
    }

    void kill() {
        process.destroyForcibly();
        Await.end(process);
    }

    public static void main(String[] args) throws IOException {
        var answers = System.out;
        // Nobody reads what else is printed, and a full pipe would stop this process.
        System.setOut(System.err);
        var ports = List.of(args).subList(2, args.length).stream()
                .map(Integer::valueOf)
                .toList();
        var charter = charter(ports);
        var self = charter.find(args[1]).orElseThrow();
        var council = RatisCouncil.open(new CouncilSeat(
                "acme",
                self.name(),
                charter,
                true,
                Path.of(args[0]),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), ports.get(self.number())),
                () -> List.of(new SecretKeySpec("secret".getBytes(StandardCharsets.UTF_8), "HmacSHA256")),
                Optional.empty(),
                CouncilTimes.USUAL,
                LinkFaults.NONE,
                System::nanoTime,
                new SecureRandom(),
                Executors.newVirtualThreadPerTaskExecutor()));
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            answers.println("=" + answer(council, line));
        }
        System.exit(0);
    }

    private static String answer(RatisCouncil council, String line) {
        if (line.startsWith("name ")) {
            try {
                council.change(council.charter().withWriter(line.substring("name ".length())))
                        .toCompletableFuture()
                        .join();
            } catch (RuntimeException failed) {
                return "failed";
            }
        }
        var charter = council.charter();
        return charter.epoch() + " " + charter.writeRegion() + (council.isLeased() ? " leased" : "");
    }
}
