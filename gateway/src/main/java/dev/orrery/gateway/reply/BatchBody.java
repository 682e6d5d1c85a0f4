package dev.orrery.gateway.reply;

import dev.orrery.engine.operation.Operation.BatchItem;
import dev.orrery.engine.operation.Outcome.Answer;
import dev.orrery.engine.operation.Outcome.BatchResult;
import dev.orrery.engine.operation.Outcome.Change;
import dev.orrery.model.Failure;
import dev.orrery.model.WireStatus;
import dev.orrery.model.json.JsonWriter;
import java.nio.ByteBuffer;
import java.util.List;

/** Writes the results of a batch: one object for each operation, in the same order. */
final class BatchBody {
    private BatchBody() {}

    static byte[] json(List<BatchResult> results, List<BatchItem> items, boolean minimal) {
        var out = new JsonWriter(256 * results.size()).raw("[");
        for (int i = 0; i < results.size(); i++) {
            if (i > 0) {
                out.raw(",");
            }
            result(out, results.get(i), minimal || items.get(i).minimal());
        }
        return out.raw("]").toBytes();
    }

    private static void result(JsonWriter out, BatchResult result, boolean minimal) {
        int substatus = result.answer() instanceof Answer.Refused(var failure)
                ? WireStatus.of(failure).substatus()
                : 0;
        out.raw("{\"statusCode\":")
                .number(ReplyRenderer.status(result.answer()))
                .raw(",\"subStatusCode\":")
                .number(substatus)
                .raw(",\"requestCharge\":")
                .raw(Decimals.hundredths(result.charge()));
        result.etag().ifPresent(etag -> out.raw(",\"eTag\":").string(etag));
        switch (result.answer()) {
            case Answer.Resource(var change, var json) -> {
                if (!minimal || change == Change.READ) {
                    out.raw(",\"resourceBody\":");
                    copy(out, json);
                }
            }
            case Answer.Refused(var failure) -> refusal(out, failure);
            case Answer.Deleted _, Answer.NotModified _ -> {}
            case Answer.Account _, Answer.Accepted _, Answer.Feed _, Answer.Batch _, Answer.Plan _, Answer.Executed _ ->
                throw new IllegalStateException("not an answer to an operation of a batch");
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
}
