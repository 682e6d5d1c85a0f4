package dev.orrery.sql.plan;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Obj;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.function.Aggregate;
import dev.orrery.sql.syntax.SelectQuery;
import dev.orrery.sql.syntax.SyntaxPrinter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parts of {@code queryInfo} while they are found. */
final class PlanInfo {
    static final String REWRITTEN = "rewrittenQuery";

    private final boolean hasSelectValue;
    String distinctType = "None";
    Optional<Long> top = Optional.empty();
    Optional<Long> offset = Optional.empty();
    Optional<Long> limit = Optional.empty();
    List<String> orderBy = List.of();
    List<String> orderByExpressions = List.of();
    List<String> groupByExpressions = List.of();
    List<String> groupByAliases = List.of();
    List<String> aggregates = List.of();
    final Map<String, Aggregate> aggregateByAlias = new HashMap<>();
    Optional<SelectQuery> rewritten = Optional.empty();
    Optional<String> distinctCountAlias = Optional.empty();
    boolean nonStreamingOrderBy;

    PlanInfo(boolean hasSelectValue) {
        this.hasSelectValue = hasSelectValue;
    }

    Obj json() {
        var aliasTypes = Obj.builder();
        groupByAliases.forEach(alias -> aliasTypes.put(alias, typeOf(alias)));
        return Obj.builder()
                .put("distinctType", distinctType)
                .put("top", number(top))
                .put("offset", number(offset))
                .put("limit", number(limit))
                .put("orderBy", JsonValue.strings(orderBy))
                .put("orderByExpressions", JsonValue.strings(orderByExpressions))
                .put("groupByExpressions", JsonValue.strings(groupByExpressions))
                .put("groupByAliases", JsonValue.strings(groupByAliases))
                .put("aggregates", JsonValue.strings(aggregates))
                .put("groupByAliasToAggregateType", aliasTypes.build())
                .put(REWRITTEN, rewritten.map(SyntaxPrinter::print).orElse(""))
                .put("hasSelectValue", hasSelectValue)
                .put("dCountInfo", distinctCountInfo())
                .put("hasNonStreamingOrderBy", nonStreamingOrderBy)
                .build();
    }

    private JsonValue typeOf(String alias) {
        var aggregate = aggregateByAlias.get(alias);
        return aggregate == null ? JsonValue.NULL : new Str(aggregate.planName());
    }

    static JsonValue number(Optional<Long> count) {
        return count.<JsonValue>map(JsonValue.Num::new).orElse(JsonValue.NULL);
    }

    private JsonValue distinctCountInfo() {
        return distinctCountAlias
                .<JsonValue>map(alias -> Obj.builder().put("dCountAlias", alias).build())
                .orElse(JsonValue.NULL);
    }
}
