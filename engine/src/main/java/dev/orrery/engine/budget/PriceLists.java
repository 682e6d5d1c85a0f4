package dev.orrery.engine.budget;

import dev.orrery.engine.budget.Prices.Price;
import dev.orrery.engine.budget.Prices.SizePrice;
import dev.orrery.engine.charge.Effort;
import dev.orrery.model.json.JsonReader;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Arr;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Obj;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The price lists that come with Orrery, all in one file. */
public final class PriceLists {
    public static final String FILE = "prices.json";

    /** As applications have known it for long: fitted to the blogging platform of the modelling example. */
    public static final String DEFAULT = "2019";

    private static final Map<String, Prices> KNOWN = parse(resource());

    private PriceLists() {}

    public static Prices byDefault() {
        return KNOWN.get(DEFAULT);
    }

    public static Optional<Prices> find(String name) {
        return Optional.ofNullable(KNOWN.get(name));
    }

    public static List<String> names() {
        return List.copyOf(KNOWN.keySet());
    }

    private static byte[] resource() {
        try (var in = PriceLists.class.getResourceAsStream(FILE)) {
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Reads {@code {"name": {"effort": {"each": 1, "perKilobyte": 2, "sizes": [[1, 5], [2, 6]]}}}}. */
    static Map<String, Prices> parse(byte[] json) {
        var lists = new LinkedHashMap<String, Prices>();
        ((Obj) JsonReader.parse(json)).members().forEach((name, list) -> lists.put(name, list(name, (Obj) list)));
        return lists;
    }

    private static Prices list(String name, Obj list) {
        var labels = Arrays.stream(Effort.values()).map(Effort::label).toList();
        if (!labels.containsAll(list.members().keySet())) {
            throw new IllegalStateException("The price list has a price for something that nobody counts");
        }
        var prices = new EnumMap<Effort, Price>(Effort.class);
        for (var effort : Effort.values()) {
            prices.put(effort, list.member(effort.label()) instanceof Obj price ? price(price) : Price.FREE);
        }
        return new Prices(name, prices);
    }

    private static Price price(Obj price) {
        var sizes = price.member("sizes") instanceof Arr(var rows)
                ? rows.stream().map(PriceLists::sizePrice).toList()
                : List.<SizePrice>of();
        return new Price(number(price.member("each")), number(price.member("perKilobyte")), sizes);
    }

    private static SizePrice sizePrice(JsonValue row) {
        var pair = ((Arr) row).items();
        return new SizePrice(number(pair.get(0)), number(pair.get(1)));
    }

    private static double number(JsonValue value) {
        return value instanceof Num number ? number.value() : 0;
    }
}
