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
                    "left, right",
                    "The sum of two 64-bit integers; what does not fit wraps around.",
                    "INTADD(20, 10)",
                    "30",
                    (left, right) -> left + right),
            row(
                    "INTBITAND INTBITWISEAND",
                    "left, right",
                    "The bits that are set in both of two integers.",
                    "INTBITAND(15, 25)",
                    "9",
                    (left, right) -> left & right),
            shift(
                    "INTBITLEFTSHIFT INTBITWISELEFTSHIFT",
                    "value, bits",
                    "An integer with its bits moved to the left by 0 to 63 places.",
                    "INTBITLEFTSHIFT(16, 4)",
                    "256",
                    (left, right) -> left << right),
            Builtin.row(
                    Builtin.Group.INTEGER,
                    "INTBITNOT INTBITWISENOT",
                    "value",
                    "An integer with every bit inverted.",
                    "INTBITNOT(65)",
                    "-66",
                    (values, _) -> isInteger(values[0]) ? new Num(~integer(values[0])) : JsonValue.UNDEFINED),
            row(
                    "INTBITOR INTBITWISEOR",
                    "left, right",
                    "The bits that are set in at least one of two integers.",
                    "INTBITOR(12, 10)",
                    "14",
                    (left, right) -> left | right),
            shift(
                    "INTBITRIGHTSHIFT INTBITWISERIGHTSHIFT",
                    "value, bits",
                    "An integer with its bits moved to the right by 0 to 63 places; the sign remains.",
                    "INTBITRIGHTSHIFT(-16, 4)",
                    "-1",
                    (left, right) -> left >> right),
            row(
                    "INTBITXOR INTBITWISEXOR",
                    "left, right",
                    "The bits that are set in exactly one of two integers.",
                    "INTBITXOR(12, 10)",
                    "6",
                    (left, right) -> left ^ right),
            divide(
                    "INTDIV",
                    "left, right",
                    "The quotient of two integers without its fraction.",
                    "INTDIV(10, -3)",
                    "-3",
                    (left, right) -> left / right),
            divide(
                    "INTMOD",
                    "left, right",
                    "The remainder of the division of two integers, with the sign of the first.",
                    "INTMOD(-12, 5)",
                    "-2",
                    (left, right) -> left % right),
            row(
                    "INTMUL",
                    "left, right",
                    "The product of two 64-bit integers; what does not fit wraps around.",
                    "INTMUL(5, -2)",
                    "-10",
                    (left, right) -> left * right),
            row(
                    "INTSUB",
                    "left, right",
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
                (values, _) -> isInteger(values[0]) && isInteger(values[1])
                        ? new Num(body.applyAsLong(integer(values[0]), integer(values[1])))
                        : JsonValue.UNDEFINED);
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
                (values, _) -> isInteger(values[0]) && isInteger(values[1]) && integer(values[1]) != 0
                        ? new Num(body.applyAsLong(integer(values[0]), integer(values[1])))
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
                (values, _) -> isInteger(values[0])
                                && isInteger(values[1])
                                && integer(values[1]) >= 0
                                && integer(values[1]) < Long.SIZE
                        ? new Num(body.applyAsLong(integer(values[0]), integer(values[1])))
                        : JsonValue.UNDEFINED);
    }

    /** Whether a value is a whole number of 64 bits; the largest one is, as a double, a little more than that. */
    static boolean isInteger(JsonValue value) {
        return value instanceof Num(double number) && number == Math.rint(number) && Math.abs(number) <= 0x1p63;
    }

    private static long integer(JsonValue value) {
        return (long) ((Num) value).value();
    }
}
