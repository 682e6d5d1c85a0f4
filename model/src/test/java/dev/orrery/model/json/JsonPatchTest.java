package dev.orrery.model.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue.Obj;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPatchTest {
    private static final List<JsonPath> KEY = List.of(JsonPath.parse("/pk"), JsonPath.parse("/k/x"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // add
                "{'a':1}|{'op':'add','path':'/b','value':2}|{'a':1,'b':2}",
                "{'a':1}|{'op':'add','path':'/a','value':2}|{'a':2}",
                "{'a':{}}|{'op':'add','path':'/a/b','value':{'c':[]}}|{'a':{'b':{'c':[]}}}",
                "{'a':[1,3]}|{'op':'add','path':'/a/1','value':2}|{'a':[1,2,3]}",
                "{'a':[1,3]}|{'op':'add','path':'/a/0','value':null}|{'a':[null,1,3]}",
                "{'a':[1,3]}|{'op':'add','path':'/a/2','value':4}|{'a':[1,3,4]}",
                "{'a':[1,3]}|{'op':'add','path':'/a/-','value':4}|{'a':[1,3,4]}",
                "{'a':[]}|{'op':'add','path':'/a/-','value':'x'}|{'a':['x']}",
                "{'a':[{'b':[1]}]}|{'op':'add','path':'/a/0/b/-','value':2}|{'a':[{'b':[1,2]}]}",
                "{}|{'op':'add','path':'/a~1b~0c','value':1}|{'a/b~c':1}",
                "{}|{'op':'add','path':'/~01','value':1}|{'~1':1}",
                "{'o':{}}|{'op':'add','path':'/o/-','value':1}|{'o':{'-':1}}",
                "{'o':{}}|{'op':'add','path':'/o/0','value':1}|{'o':{'0':1}}",
                // set
                "{'a':1}|{'op':'set','path':'/b','value':2}|{'a':1,'b':2}",
                "{'a':1,'b':2}|{'op':'set','path':'/a','value':{'x':1.50}}|{'a':{'x':1.50},'b':2}",
                "{'a':[1,2,3]}|{'op':'set','path':'/a/1','value':9}|{'a':[1,9,3]}",
                "{'a':[1]}|{'op':'set','path':'/a/1','value':9}|{'a':[1,9]}",
                "{'a':[1]}|{'op':'set','path':'/a/-','value':9}|{'a':[1,9]}",
                // replace
                "{'a':1,'b':2}|{'op':'replace','path':'/a','value':'x'}|{'a':'x','b':2}",
                "{'a':[1,2]}|{'op':'replace','path':'/a/0','value':[]}|{'a':[[],2]}",
                // remove
                "{'a':1,'b':2}|{'op':'remove','path':'/a'}|{'b':2}",
                "{'a':[1,2,3]}|{'op':'remove','path':'/a/1'}|{'a':[1,3]}",
                "{'a':{'b':1}}|{'op':'remove','path':'/a/b'}|{'a':{}}",
                "{'a':[1]}|{'op':'remove','path':'/a/0'}|{'a':[]}",
                // incr
                "{'n':5}|{'op':'incr','path':'/n','value':1}|{'n':6}",
                "{'n':5}|{'op':'increment','path':'/n','value':-7}|{'n':-2}",
                "{'n':1.5}|{'op':'incr','path':'/n','value':1}|{'n':2.5}",
                "{'n':1.5}|{'op':'incr','path':'/n','value':0.5}|{'n':2}",
                "{'n':2.0}|{'op':'incr','path':'/n','value':1}|{'n':3}",
                "{}|{'op':'incr','path':'/n','value':3}|{'n':3}",
                "{'n':[1,2]}|{'op':'incr','path':'/n/1','value':3}|{'n':[1,5]}",
                "{'n':9007199254740993}|{'op':'incr','path':'/n','value':2}|{'n':9007199254740995}",
                // move
                "{'a':1,'b':2}|{'op':'move','from':'/a','path':'/c'}|{'b':2,'c':1}",
                "{'a':1,'b':2}|{'op':'move','from':'/a','path':'/b'}|{'b':1}",
                "{'a':{'b':1},'c':{}}|{'op':'move','from':'/a/b','path':'/c/d'}|{'a':{},'c':{'d':1}}",
                "{'a':[1,2,3]}|{'op':'move','from':'/a/0','path':'/a/2'}|{'a':[2,3,1]}",
                "{'a':[1,2,3]}|{'op':'move','from':'/a/2','path':'/a/0'}|{'a':[3,1,2]}",
                "{'a':1}|{'op':'move','from':'/a','path':'/a'}|{'a':1}",
                "{'a':{'b':1}}|{'op':'move','from':'/a/b','path':'/a'}|{'a':1}"
            })
    void doesWhatTheOperationSays(String item, String operation, String expected) {
        assertThat(apply(item, "[" + operation + "]")).isEqualTo(expected.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'op':'add','path':'/a/0','value':1}|(add /a/0): the path leads through",
                "{'op':'add','path':'/none/b','value':1}|no path found beyond: 'none'",
                "{'op':'add','path':'/list/4','value':1}|(add /list/4): '4' is not an index of an array with 3"
                        + " elements",
                "{'op':'add','path':'/list/x','value':1}|(add /list/x): 'x' is not an index",
                "{'op':'add','path':'/list/01','value':1}|(add /list/01): '01' is not an index",
                "{'op':'add','path':'/list/99999999999','value':1}|is not an index",
                "{'op':'add','path':'/list/-1','value':1}|is not an index",
                "{'op':'set','path':'/list/4','value':1}|is not an index",
                "{'op':'replace','path':'/none','value':1}|(replace /none): there is nothing at this path",
                "{'op':'replace','path':'/list/3','value':1}|is not an index",
                "{'op':'replace','path':'/list/-','value':1}|is not an index",
                "{'op':'remove','path':'/none'}|(remove /none): there is nothing at this path",
                "{'op':'remove','path':'/list/3'}|is not an index",
                "{'op':'remove','path':'/list/-'}|is not an index",
                "{'op':'incr','path':'/s','value':1}|(incr /s): there is something at this path that is not a number",
                "{'op':'incr','path':'/list','value':1}|not a number",
                "{'op':'incr','path':'/list/3','value':1}|is not an index",
                "{'op':'incr','path':'/big','value':1e308}|beyond the range",
                "{'op':'incr','path':'/a','value':'1'}|the value must be a number",
                "{'op':'incr','path':'/a'}|there must be a value",
                "{'op':'move','from':'/none','path':'/b'}|there is nothing at this path",
                "{'op':'move','from':'/o','path':'/o/b'}|cannot be moved into itself",
                "{'op':'move','from':'/o','path':'/none/b'}|the path leads through",
                "{'op':'move','path':'/b'}|'from' must be a string",
                "{'op':'move','from':'/id','path':'/b'}|the id cannot be changed",
                "{'op':'add','path':'/b'}|(add /b): there must be a value",
                "{'op':'copy','path':'/b','value':1}|'copy' is not an operation",
                "{'op':'Add','path':'/b','value':1}|'Add' is not an operation",
                "{'path':'/b','value':1}|'op' must be a string",
                "{'op':'add','value':1}|'path' must be a string",
                "{'op':'add','path':1,'value':1}|'path' must be a string",
                "{'op':'add','path':'','value':1}|must begin with a slash",
                "{'op':'add','path':'b','value':1}|must begin with a slash",
                "1|must be an object",
                "{'op':'set','path':'/id','value':'x'}|(set /id): the id cannot be changed",
                "{'op':'set','path':'/_etag','value':'x'}|the system property '_etag' cannot be changed",
                "{'op':'remove','path':'/_ts'}|the system property '_ts' cannot be changed",
                "{'op':'set','path':'/pk','value':'x'}|the partition key '/pk' cannot be changed",
                "{'op':'set','path':'/pk/a','value':'x'}|the partition key '/pk' cannot be changed",
                "{'op':'set','path':'/k','value':{}}|the partition key '/k/x' cannot be changed",
                "{'op':'remove','path':'/k/x'}|the partition key '/k/x' cannot be changed",
                "{'op':'move','from':'/a','path':'/k/x'}|the partition key '/k/x' cannot be changed"
            })
    void saysWhichOperationCannotBeDoneAndWhy(String operation, String complaint) {
        var item = "{'id':'1','pk':'p','k':{'x':1},'a':1,'s':'text','o':{'x':1},'list':[1,2,3],'big':1e308}";
        var patch = "[{'op':'set','path':'/first','value':1}," + operation + "]";

        assertThatThrownBy(() -> apply(item, patch))
                .isInstanceOfSatisfying(
                        FailureException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.BadRequest.class))
                .satisfies(e -> assertThat(e.getMessage()).containsAnyOf("Patch operation 2", "slash"))
                .hasMessageContaining(complaint);
    }

    @Test
    void siblingsOfAPartitionKeyMayBeChanged() {
        assertThat(apply("{'k':{'x':1,'y':2}}", "[{'op':'set','path':'/k/y','value':3}]"))
                .isEqualTo("{\"k\":{\"x\":1,\"y\":3}}");
    }

    @Test
    void operationsSeeWhatEarlierOnesDid() {
        var patch = "[{'op':'set','path':'/o','value':{}},{'op':'add','path':'/o/l','value':[]},"
                + "{'op':'add','path':'/o/l/-','value':1},{'op':'incr','path':'/o/l/0','value':1},"
                + "{'op':'move','from':'/o/l','path':'/m'},{'op':'remove','path':'/o'}]";

        assertThat(apply("{'a':1}", patch)).isEqualTo("{\"a\":1,\"m\":[2]}");
    }

    @Test
    void whatIsNotTouchedKeepsItsSpelling() {
        var item = "{ \"big\": 12345678901234567890, \"price\":1.50, \"o\" : { \"z\":1.0,  \"y\":[1e2] }, \"n\":1 }";

        assertThat(apply(item, "[{'op':'incr','path':'/n','value':1},{'op':'set','path':'/o/x','value':2.00}]"))
                .isEqualTo(
                        "{\"big\":12345678901234567890,\"price\":1.50,\"o\":{\"z\":1.0,\"y\":[1e2],\"x\":2.00},\"n\":2}");
    }

    @Test
    void worksOnItemsThatWereBuilt() {
        var item = Obj.builder().put("a", JsonValue.array(JsonValue.NULL)).build();
        var patch = JsonPatch.parse(JsonValue.array(Obj.builder()
                .put("op", "set")
                .put("path", "/a/0")
                .put("value", "x")
                .build()));

        assertThat(patch.apply(item, KEY)).hasToString("{\"a\":[\"x\"]}");
    }

    @Test
    void theItemItselfStaysAsItWas() {
        var item = (Obj) JsonReader.parse("{\"a\":[1]}");
        JsonPatch.parse(JsonReader.parse("[{\"op\":\"add\",\"path\":\"/a/-\",\"value\":2}]"))
                .apply(item, KEY);

        assertThat(item).hasToString("{\"a\":[1]}");
    }

    @Test
    void readsBothForms() {
        var operations = "[{\"op\":\"set\",\"path\":\"/v\",\"value\":5}]";

        assertThat(JsonPatch.parse(JsonReader.parse(operations)).condition()).isEmpty();
        assertThat(JsonPatch.parse(JsonReader.parse("{\"operations\":" + operations + "}"))
                        .condition())
                .isEmpty();
        assertThat(JsonPatch.parse(JsonReader.parse("{\"operations\":" + operations + ",\"condition\":null}"))
                        .condition())
                .isEmpty();
        var conditional = JsonPatch.parse(
                JsonReader.parse("{\"operations\":" + operations + ",\"condition\":\"from c where c.v = 1\"}"));
        assertThat(conditional.condition()).contains("from c where c.v = 1");
        assertThat(conditional.apply(Obj.EMPTY, KEY)).hasToString("{\"v\":5}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1",
                "null",
                "{}",
                "[]",
                "{\"operations\":[]}",
                "{\"operations\":{}}",
                "{\"operations\":[{\"op\":\"remove\",\"path\":\"/a\"}],\"condition\":1}"
            })
    void refusesWhatIsNoPatch(String body) {
        assertThatThrownBy(() -> JsonPatch.parse(JsonReader.parse(body)))
                .isInstanceOfSatisfying(
                        FailureException.class, e -> assertThat(e.failure()).isInstanceOf(Failure.BadRequest.class));
    }

    @Test
    void tenOperationsAreTheMost() {
        var operation = "{'op':'incr','path':'/n','value':1},";

        assertThat(apply("{}", "[" + operation.repeat(10).replaceAll(",$", "") + "]"))
                .isEqualTo("{\"n\":10}");
        assertThatThrownBy(() -> apply("{}", "[" + operation.repeat(11).replaceAll(",$", "") + "]"))
                .hasMessage("A patch must have 1 to 10 operations, this one has 11.");
    }

    @Test
    void aResultThatIsNestedTooDeeplyIsRefused() {
        var deep = "[".repeat(120) + "]".repeat(120);
        var item = "{'a':{'b':{'c':{'d':{'e':{'f':{'g':{'h':{}}}}}}}}}";

        assertThatThrownBy(() -> apply(item, "[{'op':'add','path':'/a/b/c/d/e/f/g/h/i','value':" + deep + "}]"))
                .isInstanceOf(FailureException.class);
    }

    private static String apply(String item, String patch) {
        return JsonPatch.parse(JsonReader.parse(patch.replace('\'', '"')))
                .apply((Obj) JsonReader.parse(item.replace('\'', '"')), KEY)
                .toString();
    }
}
