package dev.orrery.sql.syntax;

import dev.orrery.model.json.JsonValue;
import java.util.List;
import java.util.Optional;

/** A scalar expression as written. {@code NOT IN}, {@code NOT LIKE} and {@code NOT BETWEEN} are NOT around the plain form. */
public sealed interface Expression {

    Span span();

    /** A constant, also {@code undefined}; a sign before a number belongs to the number. */
    record Literal(JsonValue value, Span span) implements Expression {}

    /** A parameter; the name starts with {@code @}. */
    record Parameter(String name, Span span) implements Expression {}

    /** An alias that FROM has introduced. */
    record Name(String name, Span span) implements Expression {}

    /** {@code target.name} and {@code target["name"]}, which mean the same. */
    record Property(Expression target, String name, Span span) implements Expression {}

    /** {@code target[index]} with anything but a string constant in the brackets. */
    record Element(Expression target, Expression index, Span span) implements Expression {}

    record Unary(UnaryOperator operator, Expression operand, Span span) implements Expression {}

    record Binary(BinaryOperator operator, Expression left, Expression right, Span span) implements Expression {}

    /** A chain of ANDs is one node however long it is: SDKs write thousands of terms. */
    record And(List<Expression> terms, Span span) implements Expression {
        public And {
            terms = List.copyOf(terms);
        }
    }

    /** A chain of ORs, see {@link And}. */
    record Or(List<Expression> terms, Span span) implements Expression {
        public Or {
            terms = List.copyOf(terms);
        }
    }

    record Between(Expression target, Expression low, Expression high, Span span) implements Expression {}

    record In(Expression target, List<Expression> choices, Span span) implements Expression {
        public In {
            choices = List.copyOf(choices);
        }
    }

    record Like(Expression target, Expression pattern, Optional<String> escape, Span span) implements Expression {}

    /** {@code condition ? then : otherwise}. */
    record Conditional(Expression condition, Expression then, Expression otherwise, Span span) implements Expression {}

    /** {@code value ?? fallback}. */
    record Coalesce(Expression value, Expression fallback, Span span) implements Expression {}

    /** A call of a built-in function; the name as written. */
    record Call(String function, List<Expression> arguments, Span nameSpan, Span span) implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }

    /** {@code udf.function(arguments)}. */
    record UserCall(String function, List<Expression> arguments, Span span) implements Expression {
        public UserCall {
            arguments = List.copyOf(arguments);
        }
    }

    record NewArray(List<Expression> items, Span span) implements Expression {
        public NewArray {
            items = List.copyOf(items);
        }
    }

    record NewObject(List<Member> members, Span span) implements Expression {
        public NewObject {
            members = List.copyOf(members);
        }
    }

    record Member(String name, Expression value) {}

    record Subquery(SubqueryKind kind, SelectQuery query, Span span) implements Expression {}

    /** What becomes of the rows of a subquery. */
    enum SubqueryKind {
        /** The value of its only row. */
        SCALAR(""),
        EXISTS("EXISTS"),
        ARRAY("ARRAY"),
        ALL("ALL"),
        FIRST("FIRST"),
        LAST("LAST");

        private final String word;

        SubqueryKind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }
}
