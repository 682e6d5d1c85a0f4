package dev.orrery.model.json;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.store.Seed;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Scanner, reader and writer against a second opinion, on random and on damaged texts. */
class JsonAgreementTest {
    private static final long FUZZ_SECONDS = Long.getLong("fuzz.seconds", 2);
    private static final byte[] SUSPICIOUS = "{}[]\",:\\u0e+-.\u0000 \n\t1ntf".getBytes(StandardCharsets.UTF_8);

    private final RandomGenerator random = Seed.random();
    private final RandomJson json = new RandomJson(random);

    @Test
    void validTextsAreReadAsTheSecondOpinionReadsThem() {
        for (int i = 0; i < 5_000; i++) {
            var text = json.text().getBytes(StandardCharsets.UTF_8);

            assertThat(SecondOpinion.parse(text)).isPresent();
            assertAgreement(text);
        }
    }

    @Test
    void whatWasWrittenReadsBackTheSame() {
        for (int i = 0; i < 2_000; i++) {
            var value = built(JsonReader.parse(json.text()));

            assertThat(JsonReader.parse(JsonWriter.bytes(value))).isEqualTo(value);
            assertThat(JsonReader.parse(JsonWriter.text(value))).isEqualTo(value);
        }
    }

    @Test
    void damagedTextsAreJudgedAlikeAndNeverEndInAnythingButARefusal() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(FUZZ_SECONDS);
        do {
            var text = json.text().getBytes(StandardCharsets.UTF_8);
            int damages = random.nextInt(1, 4);
            for (int i = 0; i < damages; i++) {
                text = damaged(text);
            }
            assertAgreement(text);
        } while (System.nanoTime() < deadline);
    }

    private static void assertAgreement(byte[] text) {
        var ours = parse(text).map(JsonAgreementTest::built);
        var theirs = SecondOpinion.parse(text);
        if (!ours.equals(theirs)) {
            assertThat(ours).as(Arrays.toString(text)).isEqualTo(theirs);
        }
    }

    private static Optional<JsonValue> parse(byte[] text) {
        try {
            return Optional.of(JsonReader.parse(text));
        } catch (FailureException e) {
            assertThat(e.failure()).isInstanceOf(Failure.BadRequest.class);
            return Optional.empty();
        }
    }

    /** The same value with nothing left that is still text. */
    private static JsonValue built(JsonValue value) {
        return switch (value) {
            case Obj object -> {
                var built = Obj.builder();
                object.members().forEach((name, member) -> {
                    assertThat(object.member(name)).isEqualTo(member);
                    built.put(name, built(member));
                });
                yield built.build();
            }
            case Arr(var items) ->
                new Arr(items.stream().map(JsonAgreementTest::built).toList());
            case JsonValue.Undefined _, JsonValue.Null _, JsonValue.Bool _, JsonValue.Num _, JsonValue.Str _ -> value;
        };
    }

    private byte[] damaged(byte[] text) {
        int at = random.nextInt(text.length + 1);
        int length = random.nextInt(1, 9);
        var changed = text.clone();
        return switch (random.nextInt(5)) {
            case 0 -> joined(text, at, new byte[0], Math.min(text.length, at + length)); // cut out
            case 1 -> joined(text, at, Arrays.copyOfRange(text, 0, Math.min(text.length, length)), at); // repeat
            case 2 -> joined(text, at, new byte[] {SUSPICIOUS[random.nextInt(SUSPICIOUS.length)]}, at);
            case 3 -> Arrays.copyOf(text, at);
            default -> {
                if (at < text.length) {
                    changed[at] = (byte) random.nextInt(256);
                }
                yield changed;
            }
        };
    }

    private static byte[] joined(byte[] text, int headEnd, byte[] middle, int tailStart) {
        var joined = new byte[headEnd + middle.length + text.length - tailStart];
        System.arraycopy(text, 0, joined, 0, headEnd);
        System.arraycopy(middle, 0, joined, headEnd, middle.length);
        System.arraycopy(text, tailStart, joined, headEnd + middle.length, text.length - tailStart);
        return joined;
    }
}
