package dev.orrery.bench.query;

import dev.orrery.bench.harness.SampleItem;
import java.util.List;
import java.util.Optional;

/**
 * One question in two languages.
 *
 * @param partition the customer that it is about, absent when it is about all
 * @param text in the query language, with values in place
 * @param sql for a table {@code items(pk, id, doc jsonb)}
 */
record QueryCase(String title, Optional<String> partition, String text, String sql) {
    private static final String CUSTOMER = QueryItem.customer(42);
    private static final String ID = SampleItem.id(QueryItem.numberOf(42, 7));

    /** Everyday questions: some name the partition key, the others go over all items. */
    static List<QueryCase> all() {
        return List.of(
                new QueryCase(
                        "one item of a partition, by id",
                        Optional.of(CUSTOMER),
                        "SELECT * FROM c WHERE c.customer = '" + CUSTOMER + "' AND c.id = '" + ID + "'",
                        "SELECT doc FROM items WHERE pk = '" + CUSTOMER + "' AND id = '" + ID + "'"),
                new QueryCase(
                        "the 100 items of a partition",
                        Optional.of(CUSTOMER),
                        "SELECT * FROM c WHERE c.customer = '" + CUSTOMER + "'",
                        "SELECT doc FROM items WHERE pk = '" + CUSTOMER + "'"),
                new QueryCase(
                        "a partition, filtered and sorted",
                        Optional.of(CUSTOMER),
                        "SELECT c.id, c.price FROM c WHERE c.customer = '" + CUSTOMER
                                + "' AND c.price > 500 ORDER BY c.price DESC",
                        "SELECT doc->>'id', doc->'price' FROM items WHERE pk = '" + CUSTOMER
                                + "' AND (doc->>'price')::float8 > 500 ORDER BY (doc->>'price')::float8 DESC"),
                new QueryCase(
                        "count of one category",
                        Optional.empty(),
                        "SELECT VALUE COUNT(1) FROM c WHERE c.category = 'category-07'",
                        "SELECT count(*) FROM items WHERE doc @> '{\"category\": \"category-07\"}'"),
                new QueryCase(
                        "count over a price",
                        Optional.empty(),
                        "SELECT VALUE COUNT(1) FROM c WHERE c.price > 900",
                        "SELECT count(*) FROM items WHERE (doc->>'price')::float8 > 900"),
                new QueryCase(
                        "the ten highest prices",
                        Optional.empty(),
                        "SELECT TOP 10 c.id, c.price FROM c ORDER BY c.price DESC",
                        "SELECT doc->>'id', doc->'price' FROM items ORDER BY (doc->>'price')::float8 DESC LIMIT 10"),
                new QueryCase(
                        "count and mean by category",
                        Optional.empty(),
                        "SELECT c.category, COUNT(1) AS items, AVG(c.price) AS mean FROM c GROUP BY c.category",
                        "SELECT doc->>'category', count(*), avg((doc->>'price')::float8) FROM items GROUP BY 1"),
                new QueryCase(
                        "distinct categories",
                        Optional.empty(),
                        "SELECT DISTINCT VALUE c.category FROM c",
                        "SELECT DISTINCT doc->>'category' FROM items"),
                new QueryCase(
                        "count of one tag within arrays",
                        Optional.empty(),
                        "SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags WHERE t = 'blue'",
                        "SELECT count(*) FROM items, jsonb_array_elements_text(doc->'tags') t WHERE t = 'blue'"),
                new QueryCase(
                        "count of a part of a string",
                        Optional.empty(),
                        "SELECT VALUE COUNT(1) FROM c WHERE CONTAINS(c.address.city, 'ort')",
                        "SELECT count(*) FROM items WHERE doc->'address'->>'city' LIKE '%ort%'"));
    }
}
