package dev.orrery.gateway.request;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** What a request may want of its reply besides the answer, or of the form of that. */
public enum ReplyWish {
    /** What the charge is made of. */
    CHARGE_DETAILS("x-orrery-charge-details"),
    QUERY_METRICS("x-ms-documentdb-populatequerymetrics"),
    /** How the rows of a query were found. */
    EXPLANATION("x-orrery-explain"),
    /** Which indexes a query used and lacked, as JSON. */
    INDEX_METRICS("x-ms-cosmos-populateindexmetrics-v2"),
    /** The same in the form that came first. */
    CLASSIC_INDEX_METRICS("x-ms-cosmos-populateindexmetrics"),
    /** Items without what the server has added to them. */
    BARE_ITEMS("x-ms-exclude-system-properties"),
    /** Nothing back of what is written. */
    MINIMAL("prefer"),
    /** What a copy of a range says rather than a gateway: it was one that was asked. */
    OF_COPY(CallerReader.INTENDED_RANGE);

    private final String header;

    ReplyWish(String header) {
        this.header = header;
    }

    /** Read once for each request; whoever makes its reply does not look at headers again. */
    public static Set<ReplyWish> of(TypedHeaders headers) {
        var wishes = EnumSet.noneOf(ReplyWish.class);
        for (var wish : values()) {
            if (wish.isIn(headers)) {
                wishes.add(wish);
            }
        }
        return Collections.unmodifiableSet(wishes);
    }

    boolean isIn(TypedHeaders headers) {
        return switch (this) {
            case MINIMAL -> headers.list(header).stream().anyMatch("return=minimal"::equalsIgnoreCase);
            case OF_COPY -> headers.text(header).isPresent();
            case CHARGE_DETAILS, QUERY_METRICS, EXPLANATION, INDEX_METRICS, CLASSIC_INDEX_METRICS, BARE_ITEMS ->
                headers.isTrue(header);
        };
    }
}
