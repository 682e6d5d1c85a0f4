package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import java.util.List;
import java.util.function.LongBinaryOperator;

/** Arithmetic of 64-bit integers; an argument that is not one gives undefined, and so does a division by zero. */
final class IntegerFunctions {
    static final List<Builtin> TABLE = List.of(
            row("INTADD", "INTADD(20, 10)", "30", (left, right) -> left + right),
            row("INTBITAND INTBITWISEAND", "INTBITAND(15, 25)", "9", (left, right) -> left & right),
            shift(
                    "INTBITLEFTSHIFT INTBITWISELEFTSHIFT",
                    "INTBITLEFTSHIFT(16, 4)",
                    "256",
                    (left, right) -> left << right),
            Builtin.row(
                    Builtin.Group.INTEGER,
                    "INTBITNOT INTBITWISENOT",
                    1,
                    1,
                    "INTBITNOT(65)",
                    "-66",
                    (values, _) -> isInteger(values[0]) ? new Num(~integer(values[0])) : JsonValue.UNDEFINED),
            row("INTBITOR INTBITWISEOR", "INTBITOR(12, 10)", "14", (left, right) -> left | right),
            shift(
                    "INTBITRIGHTSHIFT INTBITWISERIGHTSHIFT",
                    "INTBITRIGHTSHIFT(-16, 4)",
                    "-1",
                    (left, right) -> left >> right),
            row("INTBITXOR INTBITWISEXOR", "INTBITXOR(12, 10)", "6", (left, right) -> left ^ right),
            divide("INTDIV", "INTDIV(10, -3)", "-3", (left, right) -> left / right),
            divide("INTMOD", "INTMOD(-12, 5)", "-2", (left, right) -> left % right),
            row("INTMUL", "INTMUL(5, -2)", "-10", (left, right) -> left * right),
            row("INTSUB", "INTSUB(25, 50)", "-25", (left, right) -> left - right));

    private IntegerFunctions() {}

    private static Builtin row(String names, String example, String result, LongBinaryOperator body) {
        return Builtin.row(
                Builtin.Group.INTEGER,
                names,
                2,
                2,
                example,
                result,
                (values, _) -> isInteger(values[0]) && isInteger(values[1])
                        ? new Num(body.applyAsLong(integer(values[0]), integer(values[1])))
                        : JsonValue.UNDEFINED);
    }

    private static Builtin divide(String names, String example, String result, LongBinaryOperator body) {
        return Builtin.row(
                Builtin.Group.INTEGER,
                names,
                2,
                2,
                example,
                result,
                (values, _) -> isInteger(values[0]) && isInteger(values[1]) && integer(values[1]) != 0
                        ? new Num(body.applyAsLong(integer(values[0]), integer(values[1])))
                        : JsonValue.UNDEFINED);
    }

    private static Builtin shift(String names, String example, String result, LongBinaryOperator body) {
        return Builtin.row(
                Builtin.Group.INTEGER,
                names,
                2,
                2,
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
