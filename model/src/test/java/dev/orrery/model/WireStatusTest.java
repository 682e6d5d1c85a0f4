package dev.orrery.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WireStatusTest {
    @Test
    void everyFailureHasTheStatusThatClientsActOn() {
        var expected = Map.ofEntries(
                Map.entry("BadRequest", "400/0 BadRequest"),
                Map.entry("PartitionKeyMismatch", "400/1001 BadRequest"),
                Map.entry("CrossPartitionDisabled", "400/0 BadRequest"),
                Map.entry("CrossPartitionQuery", "400/1004 BadRequest"),
                Map.entry("IntendedContainerMismatch", "400/1024 BadRequest"),
                Map.entry("QuerySyntax", "400/0 BadRequest"),
                Map.entry("Unauthorized", "401/0 Unauthorized"),
                Map.entry("Forbidden", "403/0 Forbidden"),
                Map.entry("WriteForbidden", "403/3 Forbidden"),
                Map.entry("PartitionFull", "403/1014 Forbidden"),
                Map.entry("NotFound", "404/0 NotFound"),
                Map.entry("SessionNotAvailable", "404/1002 NotFound"),
                Map.entry("OwnerNotFound", "404/1003 NotFound"),
                Map.entry("MethodNotAllowed", "405/0 MethodNotAllowed"),
                Map.entry("Timeout", "408/0 RequestTimeout"),
                Map.entry("Conflict", "409/0 Conflict"),
                Map.entry("Gone", "410/0 Gone"),
                Map.entry("PartitionRangeGone", "410/1002 Gone"),
                Map.entry("PreconditionFailed", "412/0 PreconditionFailed"),
                Map.entry("TooCostly", "412/0 PreconditionFailed"),
                Map.entry("TooLarge", "413/0 RequestEntityTooLarge"),
                Map.entry("Misdirected", "421/0 MisdirectedRequest"),
                Map.entry("FailedDependency", "424/0 FailedDependency"),
                Map.entry("Throttled", "429/3200 TooManyRequests"),
                Map.entry("RetryWith", "449/0 RetryWith"),
                Map.entry("ScriptFailed", "400/0 BadRequest"),
                Map.entry("ScriptSyntax", "400/65535 BadRequest"),
                Map.entry("Internal", "500/0 InternalServerError"),
                Map.entry("Unsupported", "501/0 NotImplemented"),
                Map.entry("Unavailable", "503/0 ServiceUnavailable"));

        var actual = Stream.of(Failure.class.getPermittedSubclasses())
                .map(WireStatusTest::example)
                .collect(Collectors.toMap(
                        failure -> failure.getClass().getSimpleName(), failure -> text(WireStatus.of(failure))));

        assertThat(actual).isEqualTo(expected);
    }

    @Test
    void whatIsShortTellsWhyOneHasToWait() {
        assertThat(Stream.of(Failure.Shortage.values())
                        .map(shortage -> text(WireStatus.of(new Failure.Throttled(shortage, "wait", 1)))))
                .containsExactly(
                        "429/3200 TooManyRequests",
                        "429/3212 TooManyRequests",
                        "429/3084 TooManyRequests",
                        "429/3092 TooManyRequests");
    }

    @Test
    void inDirectModeOnlyTwoOthersMakeAClientAskAnew() {
        assertThat(text(WireStatus.of(new Failure.IntendedContainerMismatch("made anew"))
                        .inDirectMode()))
                .isEqualTo("410/1000 Gone");
        assertThat(text(WireStatus.of(new Failure.PartitionRangeGone("split")).inDirectMode()))
                .isEqualTo("410/1007 Gone");
        assertThat(text(WireStatus.of(new Failure.NotFound("none")).inDirectMode()))
                .isEqualTo("404/0 NotFound");
    }

    private static Failure example(Class<?> kind) {
        var components = Stream.of(kind.getRecordComponents())
                .<Object>map(component -> switch (component.getType().getName()) {
                    case "int" -> 0;
                    case "long" -> 0L;
                    case "java.lang.String" -> "words";
                    default -> component.getType().getEnumConstants()[0];
                })
                .toArray();
        try {
            return (Failure) kind.getConstructors()[0].newInstance(components);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(e.getMessage(), e);
        }
    }

    private static String text(WireStatus status) {
        return status.status() + "/" + status.substatus() + " " + status.code();
    }
}
