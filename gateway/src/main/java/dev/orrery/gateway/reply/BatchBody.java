package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.operation.Outcome.Change;
import dev.orrery.gateway.hybridrow.RecordStream;
import dev.orrery.gateway.hybridrow.ResultRow;
import dev.orrery.model.Failure;
import dev.orrery.model.WireStatus;
import dev.orrery.model.json.JsonWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Writes the results of a batch, one for each operation and in the same order: as JSON or in binary. */
final class BatchBody {
    private BatchBody() {}

    // ---- JSON ----

    static byte[] json(List<BatchResult> results, List<BatchItem> items) {
        var out = new JsonWriter(256 * results.size()).raw("[");
        for (int i = 0; i < results.size(); i++) {
            if (i > 0) {
                out.raw(",");
            }
            result(out, results.get(i), items.get(i).minimal());
        }
        return out.raw("]").toBytes();
    }

    private static void result(JsonWriter out, BatchResult result, boolean minimal) {
        out.raw("{\"statusCode\":")
                .number(ReplyRenderer.status(result.answer()))
                .raw(",\"subStatusCode\":")
                .number(substatus(result.answer()))
                .raw(",\"requestCharge\":")
                .raw(Decimals.hundredths(result.charge()));
        result.etag().ifPresent(etag -> out.raw(",\"eTag\":").string(etag));
        item(result.answer(), minimal).ifPresent(json -> {
            out.raw(",\"resourceBody\":");
            copy(out, json);
        });
        if (result.answer() instanceof Answer.Refused(var failure)) {
            refusal(out, failure);
        }
        out.raw("}");
    }

    /** SDKs pass unknown members on or ignore them, so the reason can be told to those who look. */
    private static void refusal(JsonWriter out, Failure failure) {
        if (failure instanceof Failure.Throttled throttled) {
            out.raw(",\"retryAfterMilliseconds\":").number(throttled.retryAfterMillis());
        }
        if (!(failure instanceof Failure.FailedDependency)) {
            out.raw(",\"message\":").string(failure.message());
        }
    }

    private static void copy(JsonWriter out, ByteBuffer json) {
        if (json.hasArray()) {
            out.raw(json.array(), json.arrayOffset() + json.position(), json.remaining());
        } else {
            var bytes = new byte[json.remaining()];
            json.duplicate().get(bytes);
            out.raw(bytes, 0, bytes.length);
        }
    }

    // ---- binary ----

    /**
     * The form that the .NET SDK reads.
     *
     * @param errors writes a refusal as the body of a reply; the SDK looks there for the reason, in a result as well
     */
    static byte[] binary(List<BatchResult> results, List<BatchItem> items, Function<Failure, byte[]> errors) {
        var rows = new ArrayList<byte[]>(results.size());
        for (int i = 0; i < results.size(); i++) {
            rows.add(row(results.get(i), items.get(i).minimal(), errors).encode());
        }
        return RecordStream.encode(rows);
    }

    private static ResultRow row(BatchResult result, boolean minimal, Function<Failure, byte[]> errors) {
        var failure = result.answer() instanceof Answer.Refused(var refused)
                ? Optional.of(refused)
                : Optional.<Failure>empty();
        return new ResultRow(
                ReplyRenderer.status(result.answer()),
                substatus(result.answer()),
                result.etag(),
                item(result.answer(), minimal)
                        .or(() -> failure.filter(reason -> !(reason instanceof Failure.FailedDependency))
                                .map(reason -> ByteBuffer.wrap(errors.apply(reason)))),
                failure.filter(Failure.Throttled.class::isInstance)
                        .map(throttled -> ((Failure.Throttled) throttled).retryAfterMillis()),
                result.charge());
    }

    // ---- both ----

    private static int substatus(Answer answer) {
        return answer instanceof Answer.Refused(var failure)
                ? WireStatus.of(failure).substatus()
                : 0;
    }

    /** The item, if there is one that the client wants to have. */
    private static Optional<ByteBuffer> item(Answer answer, boolean minimal) {
        return switch (answer) {
            case Answer.Resource(var change, var json) ->
                !minimal || change == Change.READ ? Optional.of(json) : Optional.empty();
            case Answer.Refused _, Answer.Deleted _, Answer.NotModified _ -> Optional.empty();
            case Answer.Account _, Answer.Feed _, Answer.Batch _, Answer.Plan _, Answer.Executed _, Answer.Progress _ ->
                throw new IllegalStateException("not an answer to an operation of a batch");
        };
    }
}
