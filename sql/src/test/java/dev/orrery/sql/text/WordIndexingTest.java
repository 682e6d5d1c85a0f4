package dev.orrery.sql.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.definition.FullTextPolicy.Language;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.Seed;
import dev.orrery.sql.function.Builtins;
import dev.orrery.sql.function.CallContext;
import dev.orrery.sql.function.ContainerTraits;
import dev.orrery.sql.memory.Workspace;
import dev.orrery.sql.text.WordCondition.AllOf;
import dev.orrery.sql.text.WordCondition.AnyOf;
import dev.orrery.sql.text.WordCondition.Phrase;
import dev.orrery.sql.text.WordCondition.Unknown;
import dev.orrery.sql.text.WordCondition.Word;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Whoever looks texts up by their words finds all that the functions find. */
class WordIndexingTest {
    private static final List<String> VOCABULARY = List.of(
            "the",
            "red",
            "Reds",
            "bicycle",
            "bicycles",
            "riding",
            "rides",
            "house",
            "houses",
            "not",
            "a",
            "mountain's",
            "e-mail",
            "42",
            "naïve",
            "don't");

    private final WordIndexing indexing = new WordIndexing();
    private final CallContext context =
            new CallContext(Instant.EPOCH, new SplittableRandom(1), ContainerTraits.DEFAULT, new Workspace(_ -> {}));

    private static List<JsonValue> values(String json) {
        return ((Arr) JsonReader.parse(json.replace('\'', '"'))).items();
    }

    private WordCondition all(String terms) {
        return indexing.all(Language.ENGLISH, values(terms));
    }

    private WordCondition any(String terms) {
        return indexing.any(Language.ENGLISH, values(terms));
    }

    @Test
    void aTextIsKeptAsItsStemsWithTheirFrequencies() {
        var words = indexing.words(Language.ENGLISH, "The red bicycle, two bicycles and the House");
        assertThat(words.frequencies())
                .containsOnlyKeys("red", "bicycl", "hous")
                .containsEntry("bicycl", 2);
        assertThat(words.count()).isEqualTo(4);
        assertThat(indexing.words(Language.GERMAN, "").count()).isZero();
    }

    @Test
    void aWordIsFoundByItsStemAndNothingElseHasToBeLookedAt() {
        assertThat(all("['bicycles']")).isEqualTo(new AllOf(List.of(new Word("bicycl"))));
        assertThat(all("['bicycles', 'red']").isExact()).isTrue();
        assertThat(any("['bicycles', {'term': 'red', 'distance': 0}]"))
                .isEqualTo(new AnyOf(List.of(new Word("bicycl"), new Word("red"))));
    }

    @Test
    void theWordsOfAPhraseMustAllBeThereButThatIsNotEnough() {
        var phrase = all("['red bicycles']");
        assertThat(phrase).isEqualTo(new AllOf(List.of(new Phrase(Set.of("red", "bicycl")))));
        assertThat(phrase.isExact()).isFalse();
    }

    @Test
    void wordsWithTyposCannotBeLookedUpButTheOthersOfAConjunctionCan() {
        assertThat(all("['red', {'term': 'bicycle', 'distance': 1}]"))
                .isEqualTo(new AllOf(List.of(new Word("red"), new Unknown())));
        assertThat(any("['red', {'term': 'bicycle', 'distance': 1}]")).isEqualTo(new Unknown());
    }

    @Test
    void aTermOfWordsThatSayNothingIsNowhere() {
        assertThat(any("['the']").mayHold(Set.of("the", "red"))).isFalse();
        assertThat(all("['red', '']").mayHold(Set.of("red", ""))).isFalse();
    }

    @Test
    void whatTheFunctionsRefuseIsLeftToThem() {
        var tooLong = "red ".repeat(257);
        for (var terms : List.of("[1]", "[{'term': 'red', 'distance': 3}]", "['" + tooLong + "']")) {
            assertThat(all(terms)).isEqualTo(new Unknown());
            assertThat(any(terms)).isEqualTo(new Unknown());
        }
    }

    @Test
    void everyTextInWhichTermsAreFoundMeetsTheirCondition() {
        var random = Seed.random();
        var found = 0;
        for (var round = 0; round < 5_000; round++) {
            var text = text(random, random.nextInt(12));
            var terms = new ArrayList<JsonValue>();
            for (var count = random.nextInt(1, 4); count > 0; count--) {
                terms.add(term(random));
            }
            var words = indexing.words(Language.ENGLISH, text);
            assertThat(call("_FULLTEXTWORDCOUNT", text, List.of())).isEqualTo(new Num(words.count()));
            var all = indexing.all(Language.ENGLISH, terms);
            var any = indexing.any(Language.ENGLISH, terms);
            found += check(all, words, call("FULLTEXTCONTAINS", text, terms));
            check(all, words, call("FULLTEXTCONTAINSALL", text, terms));
            check(any, words, call("FULLTEXTCONTAINSANY", text, terms));
            check(any, words, Bool.of(score(text, terms) > 0));
        }
        assertThat(found).isPositive();
    }

    private static int check(WordCondition condition, TextWords words, JsonValue found) {
        var mayHold = condition.mayHold(words.frequencies().keySet());
        if (found.equals(Bool.TRUE)) {
            assertThat(mayHold).isTrue();
        }
        if (condition.isExact()) {
            assertThat(found).isEqualTo(Bool.of(mayHold));
        }
        return found.equals(Bool.TRUE) ? 1 : 0;
    }

    private static String text(RandomGenerator random, int words) {
        var text = new ArrayList<String>();
        for (var word = 0; word < words; word++) {
            text.add(VOCABULARY.get(random.nextInt(VOCABULARY.size())));
        }
        return String.join(random.nextInt(10) == 0 ? ", " : " ", text);
    }

    private static JsonValue term(RandomGenerator random) {
        var text = text(random, random.nextInt(8) == 0 ? 0 : random.nextInt(1, 4));
        return random.nextInt(4) > 0
                ? new Str(text)
                : Obj.builder()
                        .put("term", text)
                        .put("distance", random.nextInt(3))
                        .build();
    }

    private JsonValue call(String function, String text, List<JsonValue> terms) {
        var arguments = new ArrayList<JsonValue>();
        arguments.add(new Str(text));
        arguments.addAll(terms);
        return Builtins.find(function).orElseThrow().call(arguments.toArray(JsonValue[]::new), context);
    }

    private double score(String text, List<JsonValue> terms) {
        var hits = new Arr(terms.stream().<JsonValue>map(_ -> new Num(1)).toList());
        return call("_FULLTEXTSCORE", text, List.of(new Arr(terms), new Num(10), new Num(100), hits))
                        instanceof Num(double score, var _)
                ? score
                : 0;
    }
}
