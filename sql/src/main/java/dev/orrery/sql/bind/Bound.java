package dev.orrery.sql.bind;

import dev.orrery.model.json.JsonValue;
import dev.orrery.sql.function.Builtin;
import dev.orrery.sql.syntax.BinaryOperator;
import dev.orrery.sql.syntax.Expression.SubqueryKind;
import dev.orrery.sql.syntax.UnaryOperator;
import java.util.List;
import java.util.Optional;

/**
 * An expression whose names have become slots and whose functions are found: all that is needed to evaluate it.
 *
 * <p>A slot is a place in the one frame of a running query. Every alias, group key and aggregate of the query and of its
 * subqueries has a slot of its own, so a subquery simply reads the slots of the queries around it.
 */
public sealed interface Bound {

    record Constant(JsonValue value) implements Bound {}

    /** A parameter, by its place among the parameters of the query in the order of their first use. */
    record Parameter(int index) implements Bound {}

    record Slot(int index) implements Bound {}

    record Property(Bound target, String name) implements Bound {}

    record Element(Bound target, Bound index) implements Bound {}

    /** A computed property of an item, and the expression that it stands for. */
    record Computed(Bound item, String name, Bound value) implements Bound {}

    record Unary(UnaryOperator operator, Bound operand) implements Bound {}

    record Binary(BinaryOperator operator, Bound left, Bound right) implements Bound {}

    record And(List<Bound> terms) implements Bound {
        public And {
            terms = List.copyOf(terms);
        }
    }

    record Or(List<Bound> terms) implements Bound {
        public Or {
            terms = List.copyOf(terms);
        }
    }

    record Between(Bound target, Bound low, Bound high) implements Bound {}

    record In(Bound target, List<Bound> choices) implements Bound {
        public In {
            choices = List.copyOf(choices);
        }
    }

    record Like(Bound target, Bound pattern, Optional<String> escape) implements Bound {}

    record Conditional(Bound condition, Bound then, Bound otherwise) implements Bound {}

    record Coalesce(Bound value, Bound fallback) implements Bound {}

    record Call(Builtin function, List<Bound> arguments) implements Bound {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    record UserCall(String function, List<Bound> arguments) implements Bound {
        public UserCall {
            arguments = List.copyOf(arguments);
        }
    }

    record NewArray(List<Bound> items) implements Bound {
        public NewArray {
            items = List.copyOf(items);
        }
    }

    record NewObject(List<Member> members) implements Bound {
        public NewObject {
            members = List.copyOf(members);
        }
    }

    record Member(String name, Bound value) {}

    record Subquery(SubqueryKind kind, BoundQuery query) implements Bound {}
}
