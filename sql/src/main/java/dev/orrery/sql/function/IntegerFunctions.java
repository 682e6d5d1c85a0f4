package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** Arithmetic of 64-bit integers; an argument that is not one gives undefined, and so does a division by zero. */
final class IntegerFunctions {
    static final List<Builtin> TABLE = List.of(
            row(
                    "INTADD",
                    "integer left, integer right",
                    "The sum of two 64-bit integers; what does not fit wraps around.",
                    "INTADD(20, 10)",
                    "30",
                    (left, right) -> left + right),
            row(
                    "INTBITAND INTBITWISEAND",
                    "integer left, integer right",
                    "The bits that are set in both of two integers.",
                    "INTBITAND(15, 25)",
                    "9",
                    (left, right) -> left & right),
            shift(
                    "INTBITLEFTSHIFT INTBITWISELEFTSHIFT",
                    "integer value, integer bits",
                    "An integer with its bits moved to the left by 0 to 63 places.",
                    "INTBITLEFTSHIFT(16, 4)",
                    "256",
                    (left, right) -> left << right),
            Builtin.row(
                    Builtin.Group.INTEGER,
                    "INTBITNOT INTBITWISENOT",
                    "integer value",
                    "An integer with every bit inverted.",
                    "INTBITNOT(65)",
                    "-66",
                    (values, _) -> new Num(~Numbers.integer(values[0]))),
            row(
                    "INTBITOR INTBITWISEOR",
                    "integer left, integer right",
                    "The bits that are set in at least one of two integers.",
                    "INTBITOR(12, 10)",
                    "14",
                    (left, right) -> left | right),
            shift(
                    "INTBITRIGHTSHIFT INTBITWISERIGHTSHIFT",
                    "integer value, integer bits",
                    "An integer with its bits moved to the right by 0 to 63 places; the sign remains.",
                    "INTBITRIGHTSHIFT(-16, 4)",
                    "-1",
                    (left, right) -> left >> right),
            row(
                    "INTBITXOR INTBITWISEXOR",
                    "integer left, integer right",
                    "The bits that are set in exactly one of two integers.",
                    "INTBITXOR(12, 10)",
                    "6",
                    (left, right) -> left ^ right),
            divide(
                    "INTDIV",
                    "integer left, integer right",
                    "The quotient of two integers without its fraction.",
                    "INTDIV(10, -3)",
                    "-3",
                    (left, right) -> left / right),
            divide(
                    "INTMOD",
                    "integer left, integer right",
                    "The remainder of the division of two integers, with the sign of the first.",
                    "INTMOD(-12, 5)",
                    "-2",
                    (left, right) -> left % right),
            row(
                    "INTMUL",
                    "integer left, integer right",
                    "The product of two 64-bit integers; what does not fit wraps around.",
                    "INTMUL(5, -2)",
                    "-10",
                    (left, right) -> left * right),
            row(
                    "INTSUB",
                    "integer left, integer right",
                    "The difference of two 64-bit integers; what does not fit wraps around.",
                    "INTSUB(25, 50)",
                    "-25",
                    (left, right) -> left - right));

    private IntegerFunctions() {}

    private static Builtin row(
            String names,
            String parameters,
            String description,
            String example,
            String result,
            LongBinaryOperator body) {
        return Builtin.row(
                Builtin.Group.INTEGER,
                names,
                parameters,
                description,
                example,
                result,
                (values, _) -> new Num(body.applyAsLong(Numbers.integer(values[0]), Numbers.integer(values[1]))));
    }

    private static Builtin divide(
            String names,
            String parameters,
            String description,
            String example,
            String result,
            LongBinaryOperator body) {
        return Builtin.row(
                Builtin.Group.INTEGER,
                names,
                parameters,
                description,
                example,
                result,
                (values, _) -> Numbers.integer(values[1]) != 0
                        ? new Num(body.applyAsLong(Numbers.integer(values[0]), Numbers.integer(values[1])))
                        : JsonValue.UNDEFINED);
    }

    private static Builtin shift(
            String names,
            String parameters,
            String description,
            String example,
            String result,
            LongBinaryOperator body) {
        return Builtin.row(
                Builtin.Group.INTEGER,
                names,
                parameters,
                description,
                example,
                result,
                (values, _) -> Numbers.integer(values[1]) >= 0 && Numbers.integer(values[1]) < Long.SIZE
                        ? new Num(body.applyAsLong(Numbers.integer(values[0]), Numbers.integer(values[1])))
                        : JsonValue.UNDEFINED);
    }
}
