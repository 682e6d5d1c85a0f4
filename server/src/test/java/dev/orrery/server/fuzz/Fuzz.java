package dev.orrery.server.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/**
 * Gives a parser inputs that are nearly right. So many cases run in every build that it takes a second or two;
 * {@code -Dfuzz.cases=} runs more, {@code -Dfuzz.minutes=} runs each target for so long, {@code -Dtest.seed=} the same again.
 */
public final class Fuzz {
    private static final long CASES = Long.getLong("fuzz.cases", 20_000);
    private static final long MINUTES = Long.getLong("fuzz.minutes", 0);
    private static final int CHANGES_MAX = 6;
    private static final int INPUT_BYTES_MAX = 64 * 1024;

    private static final List<String> MORSELS = List.of(
            "\"",
            "'",
            "\\",
            "\\u",
            "{",
            "}",
            "[",
            "]",
            "(",
            ")",
            ",",
            ":",
            ";",
            "&",
            "=",
            "%",
            "%00",
            "\0",
            "\r\n",
            "-",
            "0",
            "-1",
            "1e999",
            "9223372036854775808",
            "null",
            "true",
            "\ud83d",
            "\u00ff",
            "*",
            "/*",
            "--",
            "<<",
            "!!",
            "|",
            ">",
            "#",
            "? ",
            "- ",
            "&a *a",
            "[".repeat(300),
            "(".repeat(300),
            "{\"a\":".repeat(100),
            "a".repeat(3000));

    private final String name;
    private final List<byte[]> seeds;
    private final Random random;

    /** Takes an input or refuses it in the way it should; everything it throws is a finding. */
    public interface Target {
        void take(byte[] input) throws Exception;
    }

    private Fuzz(String name, List<byte[]> seeds, long seed) {
        this.name = name;
        this.seeds = List.copyOf(seeds);
        this.random = new Random(seed);
    }

    public static void texts(String name, List<String> seeds, Target target) {
        bytes(
                name,
                seeds.stream()
                        .map(text -> text.getBytes(StandardCharsets.UTF_8))
                        .toList(),
                target);
    }

    /** Runs one target. */
    public static void bytes(String name, List<byte[]> seeds, Target target) {
        long seed = Long.getLong("test.seed", System.nanoTime());
        System.out.println(name + ": -Dtest.seed=" + seed);
        long executions = new Fuzz(name, seeds, seed).run(target);
        System.out.println(name + ": " + executions + " executions without a finding");
    }

    private long run(Target target) {
        seeds.forEach(input -> execute(target, input));
        long endNanos = System.nanoTime() + MINUTES * 60_000_000_000L;
        long executions = 0;
        while (MINUTES > 0 ? System.nanoTime() - endNanos < 0 : executions < CASES) {
            execute(target, input());
            executions++;
        }
        return executions;
    }

    private void execute(Target target, byte[] input) {
        try {
            target.take(input);
        } catch (Throwable finding) { // An Error, such as a stack that overflows, is one as well.
            throw new AssertionError(
                    name + " fails on the input " + Base64.getEncoder().encodeToString(input) + " (base64)", finding);
        }
    }

    private byte[] input() {
        byte[] input = seeds.get(random.nextInt(seeds.size()));
        for (int changes = random.nextInt(CHANGES_MAX + 1); changes > 0 && input.length < INPUT_BYTES_MAX; changes--) {
            input = changed(input);
        }
        return input;
    }

    private byte[] changed(byte[] input) {
        int at = random.nextInt(input.length + 1);
        int length = Math.min(input.length - at, random.nextInt(24));
        var out = new ByteArrayOutputStream();
        out.write(input, 0, at);
        switch (random.nextInt(7)) {
            case 0 -> out.writeBytes(MORSELS.get(random.nextInt(MORSELS.size())).getBytes(StandardCharsets.UTF_8));
            case 1 -> out.write(input, at, length); // Said twice.
            case 2 -> at += length; // Left out.
            case 3 -> {
                return out.toByteArray(); // Cut off.
            }
            case 4 -> { // The beginning of one and the end of another.
                byte[] other = seeds.get(random.nextInt(seeds.size()));
                int from = random.nextInt(other.length + 1);
                out.write(other, from, other.length - from);
                return out.toByteArray();
            }
            case 5 -> {
                if (at < input.length) {
                    out.write(input[at] ^ 1 << random.nextInt(8));
                    at++;
                }
            }
            default -> {
                if (at < input.length) {
                    out.write(
                            List.of(0, 1, 0x7f, 0x80, 0xff, random.nextInt(256)).get(random.nextInt(6)));
                    at++;
                }
            }
        }
        out.write(input, at, input.length - at);
        return out.toByteArray();
    }
}
