package dev.orrery.bench.query;

import dev.orrery.bench.harness.SampleItem;
import java.util.List;
import java.util.SplittableRandom;

/** The items that are queried: 1 KB each, 100 of each customer, always the same. */
final class QueryItem {
    static final int PER_CUSTOMER = 100;

    private static final List<String> CITIES = List.of("Porto", "Lisboa", "Berlin", "Oslo", "Portsmouth", "Lyon");
    private static final List<String> TAGS = List.of("blue", "long", "foam", "new", "sale", "kids", "pro", "eco");

    private QueryItem() {}

    static String customer(long number) {
        return "customer-%06d".formatted(number);
    }

    static long numberOf(long customer, long item) {
        return customer * PER_CUSTOMER + item;
    }

    static String json(long number) {
        var random = new SplittableRandom(number);
        var start = "{\"id\":\"" + SampleItem.id(number) + "\","
                + "\"customer\":\"" + customer(number / PER_CUSTOMER) + "\","
                + "\"category\":\"category-%02d\",".formatted(random.nextInt(20))
                + "\"quantity\":" + random.nextInt(100) + ","
                + "\"price\":" + random.nextInt(100_000) / 100.0 + ","
                + "\"sale\":" + random.nextBoolean() + ","
                + "\"created\":\"2026-%02d-14T15:09:26.535Z\",".formatted(1 + random.nextInt(12))
                + "\"tags\":[\"" + pick(TAGS, random) + "\",\"" + pick(TAGS, random) + "\",\"" + pick(TAGS, random)
                + "\"],"
                + "\"address\":{\"city\":\"" + pick(CITIES, random) + "\",\"zip\":\"4000-322\"},"
                + "\"description\":\"";
        var end = "\"}";
        return start + "a".repeat(SampleItem.BYTES - start.length() - end.length()) + end;
    }

    private static String pick(List<String> choices, SplittableRandom random) {
        return choices.get(random.nextInt(choices.size()));
    }
}
