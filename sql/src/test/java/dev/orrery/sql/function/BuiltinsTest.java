package dev.orrery.sql.function;

import static org.assertj.core.api.Assertions.assertThat;

import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonWriter;
import dev.orrery.sql.memory.Workspace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class BuiltinsTest {
    private static final Path MANUAL = Path.of("../docs/functions.md");

    @TestFactory
    Stream<DynamicTest> everyExampleGivesItsResult() {
        return Builtins.all().stream()
                .map(builtin -> DynamicTest.dynamicTest(builtin.example(), () -> {
                    assertThat(FunctionManual.evaluate(builtin.example())).isEqualTo(builtin.result());
                }));
    }

    /** The names of the documentation and of the SDKs, which differ in places. */
    private static final String NAMES = """
        ABS ACOS ASIN ATAN ATN2 CEILING COS COT DEGREES EXP FLOOR LOG LOG10 NUMBERBIN PI POWER RADIANS RAND ROUND SIGN
        SIN SQRT SQUARE TAN TRUNC INTADD INTSUB INTMUL INTDIV INTMOD INTBITAND INTBITOR INTBITXOR INTBITNOT
        INTBITLEFTSHIFT INTBITRIGHTSHIFT IntBitwiseAnd IntBitwiseOr IntBitwiseXor IntBitwiseNot IntBitwiseLeftShift
        IntBitwiseRightShift ARRAY_CONCAT ARRAY_CONTAINS ARRAY_CONTAINS_ALL ARRAY_CONTAINS_ANY ARRAY_LENGTH ARRAY_SLICE
        CHOOSE OBJECTTOARRAY SETINTERSECT SETUNION ARRAY_AVG ARRAY_MAX ARRAY_MIN ARRAY_SUM SETDIFFERENCE SETEQUAL
        ARRAY_MEDIAN CONCAT CONTAINS ENDSWITH INDEX_OF LEFT LENGTH LOWER LTRIM REGEXMATCH REPLACE REPLICATE REVERSE RIGHT
        RTRIM STARTSWITH STRINGEQUALS STRINGJOIN STRINGSPLIT STRINGTOARRAY STRINGTOBOOLEAN STRINGTONULL STRINGTONUMBER
        STRINGTOOBJECT SUBSTRING TOSTRING TRIM UPPER LASTINDEXOF CONTAINS_ALL_CI CONTAINS_ALL_CS CONTAINS_ANY_CI
        CONTAINS_ANY_CS ContainsAllCi ContainsAllCs ContainsAnyCi ContainsAnyCs SubstringAfter SubstringBefore
        LastSubstringAfter LastSubstringBefore RegexExtract RegexExtractAll DATETIMEADD DATETIMEBIN DATETIMEDIFF
        DATETIMEFROMPARTS DATETIMEPART DATETIMETOTICKS DATETIMETOTIMESTAMP TICKSTODATETIME TIMESTAMPTODATETIME
        GETCURRENTDATETIME GETCURRENTTICKS GETCURRENTTIMESTAMP GETCURRENTDATETIMESTATIC GETCURRENTTICKSSTATIC
        GETCURRENTTIMESTAMPSTATIC DATETIMEFORMAT DAY MONTH YEAR NOW AGO IS_ARRAY IS_BOOL IS_BOOLEAN IS_DEFINED
        IS_FINITE_NUMBER IS_INTEGER IS_NULL IS_NUMBER IS_OBJECT IS_PRIMITIVE IS_STRING IS_DATETIME IIF DOCUMENTID
        ST_AREA ST_DISTANCE ST_INTERSECTS ST_ISVALID ST_ISVALIDDETAILED ST_WITHIN VECTORDISTANCE FULLTEXTCONTAINS
        FULLTEXTCONTAINSALL FULLTEXTCONTAINSANY _FULLTEXTSCORE _FULLTEXTWORDCOUNT _VECTORSCORE
        """;

    @Test
    void everyFunctionOfTheLanguageIsThere() {
        assertThat(NAMES.strip().split("\\s+"))
                .allSatisfy(name -> assertThat(Builtins.find(name)).as(name).isPresent());
        assertThat(new String[] {"AVG", "COUNT", "COUNTIF", "MAKELIST", "MAKESET", "MAX", "MIN", "SUM"})
                .allSatisfy(name -> assertThat(Aggregate.find(name)).as(name).isPresent());
    }

    /** {@code -Dgolden.update=true} writes it. */
    @Test
    void theManualSaysWhatTheTableSays() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(MANUAL, FunctionManual.text());
        }
        assertThat(Files.readString(MANUAL)).isEqualTo(FunctionManual.text());
    }

    @Test
    void everyExampleCallsItsFunction() {
        assertThat(Builtins.all())
                .allSatisfy(builtin -> assertThat(builtin.example()).startsWith(builtin.name() + "("));
    }

    @TestFactory
    Stream<DynamicTest> anIntegerThatIsNoneMakesTheResultUndefined() {
        return Builtins.all().stream()
                .flatMap(builtin -> IntStream.range(0, builtin.parameters().size())
                        .filter(index -> builtin.parameters().get(index).startsWith("integer "))
                        .mapToObj(index -> DynamicTest.dynamicTest(
                                builtin.name() + ", " + builtin.parameters().get(index),
                                () -> assertThat(List.of(
                                                "1.5", "0.1", "1e19", "9223372036854775808", "'1'", "[1]", "null"))
                                        .allSatisfy(none -> assertThat(
                                                        FunctionManual.evaluate(exampleWith(builtin, index, none)))
                                                .isEqualTo("undefined")))));
    }

    /** The example of a function with another argument. */
    private static String exampleWith(Builtin builtin, int index, String argument) {
        var example = builtin.example();
        var inParentheses = example.substring(builtin.name().length() + 1, example.length() - 1);
        var arguments = ((JsonValue.Arr) JsonReader.parse(FunctionManual.evaluate("[" + inParentheses + "]")))
                .items().stream().map(JsonWriter::text).collect(Collectors.toCollection(ArrayList::new));
        while (arguments.size() <= index) {
            arguments.add("1");
        }
        arguments.set(index, argument);
        return builtin.name() + "(" + String.join(", ", arguments) + ")";
    }

    @Test
    void everyFunctionButTheLenientOnesIsUndefinedForUndefined() {
        var context = new CallContext(
                Instant.EPOCH, new SplittableRandom(1), ContainerTraits.DEFAULT, new Workspace(_ -> {}));
        for (var builtin : Builtins.all()) {
            if (!builtin.undefinedArguments() && builtin.argumentsMin() > 0) {
                var arguments = new JsonValue[builtin.argumentsMin()];
                Arrays.fill(arguments, JsonValue.UNDEFINED);
                assertThat(builtin.call(arguments, context).isUndefined())
                        .as(builtin.name())
                        .isTrue();
            }
        }
    }
}
