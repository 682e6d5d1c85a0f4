package dev.orrery.model.definition;

import dev.orrery.model.Limits;
import dev.orrery.model.definition.Throughput.Autoscale;
import dev.orrery.model.definition.Throughput.Manual;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.SystemProperties;
import java.util.List;

/**
 * The throughput given to one container or database, and the highest amounts it ever had, which set the least that it
 * may be lowered to.
 *
 * <p>{@code resourceLink} is the path of rids of that resource with a slash at the end.
 */
public record OfferDefinition(
        String resourceLink,
        String resourceRid,
        Throughput throughput,
        List<ThroughputBucket> buckets,
        int requestUnitsEver,
        long kilobytesEver) {
    private static final String VERSION = "offerVersion";
    private static final String CONTENT = "content";
    private static final String THROUGHPUT = "offerThroughput";
    private static final String AUTOSCALE = "offerAutopilotSettings";
    private static final String BUCKETS = "throughputBuckets";
    private static final String MINIMUM = "offerMinimumThroughputParameters";
    private static final String REQUEST_UNITS_EVER = "maxThroughputEverProvisioned";
    private static final String KILOBYTES_EVER = "maxConsumedStorageEverInKB";
    private static final String RESOURCE = "resource";
    private static final String RESOURCE_RID = "offerResourceId";
    private static final String SUPPORTED_VERSION = "V2";
    private static final double KILOBYTES_PER_GIGABYTE = 1024 * 1024;

    public OfferDefinition {
        buckets = List.copyOf(buckets);
    }

    /** A change of kind is asked for beside the body, and then the server chooses the amount. */
    public enum Migration {
        NONE,
        TO_AUTOSCALE,
        TO_MANUAL
    }

    public static OfferDefinition of(String resourceLink, String resourceRid, Throughput throughput) {
        return new OfferDefinition(resourceLink, resourceRid, throughput, List.of(), throughput.requestUnitsMax(), 0);
    }

    /** Reads what {@link #toJson()} wrote. */
    public static OfferDefinition parse(Obj body) {
        var json = MemberReader.of(body);
        var content = content(json);
        var minimum = content.object(MINIMUM).orElseThrow(() -> content.refusal(MINIMUM, "is required."));
        return new OfferDefinition(
                json.requiredText(RESOURCE),
                json.requiredText(RESOURCE_RID),
                readThroughput(content),
                readBuckets(content),
                minimum.whole(REQUEST_UNITS_EVER, 0, Integer.MAX_VALUE).orElse(0),
                minimum.number(KILOBYTES_EVER).orElse(0.0).longValue());
    }

    private static MemberReader content(MemberReader json) {
        return json.object(CONTENT).orElseThrow(() -> json.refusal(CONTENT, "is required and must be an object."));
    }

    /** An autoscale offer states its current throughput too, which is not the client's to choose. */
    private static Throughput readThroughput(MemberReader content) {
        return content.object(AUTOSCALE)
                .<Throughput>map(Autoscale::parse)
                .orElseGet(() -> new Manual(content.whole(THROUGHPUT, 0, Integer.MAX_VALUE)
                        .orElseThrow(() -> content.refusal(THROUGHPUT, "is required."))));
    }

    private static List<ThroughputBucket> readBuckets(MemberReader content) {
        var buckets = content.array(BUCKETS, ThroughputBucket.ID_MAX).stream()
                .map(json -> json instanceof Obj bucket
                        ? ThroughputBucket.parse(MemberReader.of(bucket))
                        : refuse(content, "must hold objects."))
                .toList();
        if (buckets.stream().map(ThroughputBucket::id).distinct().count() < buckets.size()
                || buckets.stream().filter(ThroughputBucket::isDefault).count() > 1) {
            return List.of(refuse(content, "must hold each id once, and at most one default."));
        }
        return buckets;
    }

    private static ThroughputBucket refuse(MemberReader content, String why) {
        throw content.refusal(BUCKETS, why);
    }

    /**
     * The offer after a replace by a client; only the throughput may change, and the buckets where they are given.
     *
     * @param sharingContainers how many containers share the throughput of a database, 0 for a container's own
     */
    public OfferDefinition replaceWith(Obj body, Migration migration, int sharingContainers) {
        var json = MemberReader.of(body);
        refuseOtherVersion(json);
        refuseChange(json, RESOURCE, resourceLink);
        refuseChange(json, RESOURCE_RID, resourceRid);
        var changed = switch (migration) {
            case NONE -> checkedChange(content(json), sharingContainers);
            case TO_AUTOSCALE -> toAutoscale();
            case TO_MANUAL -> new Manual(throughput.requestUnitsMax());
        };
        int ever = Math.max(requestUnitsEver, changed.requestUnitsMax());
        var shares = json.object(CONTENT)
                .filter(content -> content.has(BUCKETS))
                .map(OfferDefinition::readBuckets)
                .orElse(buckets);
        return new OfferDefinition(resourceLink, resourceRid, changed, shares, ever, kilobytesEver);
    }

    private static void refuseOtherVersion(MemberReader json) {
        json.text(VERSION)
                .filter(version -> !version.equalsIgnoreCase(SUPPORTED_VERSION))
                .ifPresent(version -> {
                    throw json.refusal(VERSION, "is '" + version + "', but only V2 is supported.");
                });
    }

    private static void refuseChange(MemberReader json, String member, String current) {
        json.text(member).filter(text -> !text.equals(current)).ifPresent(_ -> {
            throw json.refusal(member, "cannot be changed; an offer belongs to its resource.");
        });
    }

    private Throughput checkedChange(MemberReader content, int sharingContainers) {
        boolean asksForAutoscale = content.has(AUTOSCALE);
        if (asksForAutoscale != throughput instanceof Autoscale) {
            throw content.refusal(
                    asksForAutoscale ? AUTOSCALE : THROUGHPUT,
                    "cannot switch between manual and autoscale throughput; ask for a migration of the offer instead.");
        }
        var asked = readThroughput(content);
        int least = requestUnitsLeast(sharingContainers);
        if (asked.requestUnitsMax() < least) {
            throw content.refusal(
                    asksForAutoscale ? AUTOSCALE : THROUGHPUT,
                    "is " + asked.requestUnitsMax() + ", but must not be less than " + least
                            + " after what the resource has held and has been given.");
        }
        return asked;
    }

    private Throughput toAutoscale() {
        if (throughput instanceof Autoscale already) {
            return already;
        }
        double wanted = Math.max(throughput.requestUnitsMax(), leastAutoscale(0));
        return new Autoscale(roundUp(wanted, Throughput.AUTOSCALE_INCREMENT), Obj.EMPTY);
    }

    /** The least that a client may lower the throughput to, of the kind that it is. */
    public int requestUnitsLeast(int sharingContainers) {
        double least = switch (throughput) {
            case Manual _ -> leastManual(sharingContainers);
            case Autoscale _ -> leastAutoscale(sharingContainers);
        };
        return roundUp(least, throughput.increment());
    }

    private double leastManual(int sharingContainers) {
        double forContainers = Limits.THROUGHPUT_MANUAL_MIN + 100.0 * containersBeyondFree(sharingContainers);
        return Math.max(forContainers, Math.max(gigabytesEver(), requestUnitsEver / 100.0));
    }

    private double leastAutoscale(int sharingContainers) {
        double forContainers = Limits.THROUGHPUT_AUTOSCALE_MIN + 1_000.0 * containersBeyondFree(sharingContainers);
        return Math.max(forContainers, Math.max(gigabytesEver() * 10, requestUnitsEver / 10.0));
    }

    private static int containersBeyondFree(int sharingContainers) {
        return Math.max(sharingContainers - Limits.SHARED_THROUGHPUT_CONTAINERS_FREE, 0);
    }

    private double gigabytesEver() {
        return kilobytesEver / KILOBYTES_PER_GIGABYTE;
    }

    private static int roundUp(double requestUnits, int increment) {
        double most = Math.min(requestUnits, Limits.THROUGHPUT_MAX);
        return Math.ceilDiv((int) Math.ceil(most), increment) * increment;
    }

    /** The offer after its resource was seen to hold that much. */
    public OfferDefinition withStorage(long kilobytes) {
        return new OfferDefinition(
                resourceLink, resourceRid, throughput, buckets, requestUnitsEver, Math.max(kilobytesEver, kilobytes));
    }

    public Obj toJson() {
        var content = Obj.builder();
        switch (throughput) {
            case Manual(int requestUnits) -> content.put(THROUGHPUT, requestUnits);
            case Autoscale autoscale -> content.put(THROUGHPUT, autoscale.requestUnitsMin());
        }
        content.put("offerIsRUPerMinuteThroughputEnabled", false)
                .put(
                        MINIMUM,
                        Obj.builder()
                                .put(REQUEST_UNITS_EVER, requestUnitsEver)
                                .put(KILOBYTES_EVER, (double) kilobytesEver)
                                .build());
        if (throughput instanceof Autoscale autoscale) {
            content.put(AUTOSCALE, autoscale.toJson());
        }
        if (!buckets.isEmpty()) {
            content.put(
                    BUCKETS,
                    new Arr(buckets.stream()
                            .<JsonValue>map(ThroughputBucket::toJson)
                            .toList()));
        }
        return Obj.builder()
                .put(VERSION, SUPPORTED_VERSION)
                .put("offerType", "Invalid")
                .put(CONTENT, content.build())
                .put(RESOURCE, resourceLink)
                .put(RESOURCE_RID, resourceRid)
                .build();
    }

    /** The offer as clients see it; its id is its rid. */
    public Obj toJson(SystemProperties system) {
        var json = Obj.builder().putAll(toJson()).put("id", system.rid()).build();
        return Definition.withSystemProperties(json, system, List.of());
    }

    /** The same with what it gives at present. */
    public static Obj scaled(Obj offer, int requestUnitsNow) {
        var content = Obj.builder()
                .putAll((Obj) offer.member(CONTENT))
                .put(THROUGHPUT, requestUnitsNow)
                .build();
        return Obj.builder().putAll(offer).put(CONTENT, content).build();
    }
}
