package dev.orrery.model.definition;

import dev.orrery.model.Failure;
import dev.orrery.model.FailureException;
import dev.orrery.model.json.JsonValue.Obj;

/**
 * A share of a container's throughput that requests may not go beyond which name the bucket.
 *
 * @param isDefault whether it is also for requests that name none
 */
public record ThroughputBucket(int id, int percentMax, boolean isDefault) {
    public static final int ID_MAX = 5;
    private static final String ID = "id";
    private static final String PERCENT = "maxThroughputPercentage";
    private static final String DEFAULT = "isDefaultBucket";
    private static final int PERCENT_MAX = 100;

    public ThroughputBucket {
        demand("The id of a throughput bucket", id, ID_MAX);
        demand("The percentage of a throughput bucket", percentMax, PERCENT_MAX);
    }

    private static void demand(String what, int number, int max) {
        if (number < 1 || number > max) {
            throw new FailureException(
                    new Failure.BadRequest(what + " is " + number + ", but must be from 1 to " + max + "."));
        }
    }

    static ThroughputBucket parse(MemberReader json) {
        return new ThroughputBucket(
                json.whole(ID, 0, Integer.MAX_VALUE).orElseThrow(() -> json.refusal(ID, "is required.")),
                json.whole(PERCENT, 0, Integer.MAX_VALUE).orElseThrow(() -> json.refusal(PERCENT, "is required.")),
                json.flag(DEFAULT).orElse(false));
    }

    Obj toJson() {
        var json = Obj.builder().put(ID, id).put(PERCENT, percentMax);
        return isDefault ? json.put(DEFAULT, true).build() : json.build();
    }
}
