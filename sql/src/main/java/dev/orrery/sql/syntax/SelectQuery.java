package dev.orrery.sql.syntax;

import java.util.List;
import java.util.Optional;

/** A query, or a subquery, as written. */
public record SelectQuery(
        Select select,
        Optional<From> from,
        Optional<Expression> where,
        List<Expression> groupBy,
        Optional<OrderBy> orderBy,
        Optional<OffsetLimit> offsetLimit) {

    public SelectQuery {
        groupBy = List.copyOf(groupBy);
    }

    public SelectQuery withoutFilter() {
        return new SelectQuery(select, from, Optional.empty(), groupBy, orderBy, offsetLimit);
    }

    /** The SELECT clause; TOP has a number or a parameter. */
    public record Select(boolean distinct, Optional<Expression> top, Projection projection) {}

    public sealed interface Projection {
        record Star(Span span) implements Projection {}

        record Value(Expression value) implements Projection {}

        record Items(List<Item> items) implements Projection {
            public Items {
                items = List.copyOf(items);
            }
        }
    }

    public record Item(Expression value, Optional<String> alias) {}

    /** The first source, and those joined to it; each may refer to the aliases of those before it. */
    public record From(Source first, List<Source> joins) {
        public From {
            joins = List.copyOf(joins);
        }
    }

    public sealed interface Source {
        Collection collection();

        Span span();

        /** {@code collection AS alias}: one value per value of the collection. */
        record Aliased(Collection collection, Optional<String> alias, Span span) implements Source {}

        /** {@code alias IN collection}: one value per element of each array of the collection. */
        record Iterated(String alias, Collection collection, Span span) implements Source {}
    }

    public sealed interface Collection {
        /** A name with properties and elements below it; behind IN also a call that makes an array. */
        record Path(Expression path) implements Collection {}

        record Derived(SelectQuery query) implements Collection {}
    }

    /** ORDER BY, or with {@code rank} ORDER BY RANK, which orders by the scores of search functions. */
    public record OrderBy(boolean rank, List<SortItem> items) {
        public OrderBy {
            items = List.copyOf(items);
        }
    }

    public record SortItem(Expression value, SortOrder order) {}

    public enum SortOrder {
        /** Not said: ascending, but for scores the best first. */
        DEFAULT,
        ASCENDING,
        DESCENDING
    }

    /** Numbers or parameters. */
    public record OffsetLimit(Expression offset, Expression limit) {}
}
