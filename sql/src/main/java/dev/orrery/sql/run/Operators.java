package dev.orrery.sql.run;

import dev.orrery.model.json.JsonOrder;
import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Bool;
import dev.orrery.model.json.JsonValue.Null;
import dev.orrery.model.json.JsonValue.Num;
import dev.orrery.model.json.JsonValue.Str;
import dev.orrery.sql.function.Numbers;
import dev.orrery.sql.function.ValueSize;
import dev.orrery.sql.memory.Workspace;
import dev.orrery.sql.syntax.BinaryOperator;
import dev.orrery.sql.syntax.UnaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntPredicate;

/** The operators on values. What an operator is not made for, and anything undefined, gives undefined. */
final class Operators {
    private Operators() {}

    static JsonValue unary(UnaryOperator operator, JsonValue operand) {
        return switch (operator) {
            case NOT -> operand instanceof Bool(boolean value) ? Bool.of(!value) : JsonValue.UNDEFINED;
            case MINUS -> operand instanceof Num number ? number.negated() : JsonValue.UNDEFINED;
            case PLUS -> operand instanceof Num ? operand : JsonValue.UNDEFINED;
            case BIT_NOT ->
                operand instanceof Num(double value, var _) ? new Num(~Numbers.toInt32(value)) : JsonValue.UNDEFINED;
        };
    }

    static JsonValue binary(BinaryOperator operator, JsonValue left, JsonValue right, Workspace workspace) {
        return switch (operator) {
            case EQUAL -> equal(left, right, true);
            case NOT_EQUAL -> equal(left, right, false);
            case LESS -> compare(left, right, order -> order < 0);
            case LESS_OR_EQUAL -> compare(left, right, order -> order <= 0);
            case GREATER -> compare(left, right, order -> order > 0);
            case GREATER_OR_EQUAL -> compare(left, right, order -> order >= 0);
            case CONCAT -> concat(left, right, workspace);
            case ADD -> arithmetic(left, right, (one, other) -> one + other);
            case SUBTRACT -> arithmetic(left, right, (one, other) -> one - other);
            case MULTIPLY -> arithmetic(left, right, (one, other) -> one * other);
            case DIVIDE -> arithmetic(left, right, (one, other) -> one / other);
            case REMAINDER -> arithmetic(left, right, (one, other) -> one % other);
            case BIT_AND -> bitwise(left, right, (one, other) -> one & other);
            case BIT_OR -> bitwise(left, right, (one, other) -> one | other);
            case BIT_XOR -> bitwise(left, right, (one, other) -> one ^ other);
            case SHIFT_LEFT -> bitwise(left, right, (one, other) -> one << other);
            case SHIFT_RIGHT -> bitwise(left, right, (one, other) -> one >> other);
            case SHIFT_RIGHT_UNSIGNED -> bitwise(left, right, (one, other) -> Integer.toUnsignedLong(one >>> other));
        };
    }

    /** Values of different kinds are unequal, and that is a defined answer. */
    private static JsonValue equal(JsonValue left, JsonValue right, boolean wanted) {
        return left.isUndefined() || right.isUndefined() ? JsonValue.UNDEFINED : Bool.of(left.equals(right) == wanted);
    }

    private static JsonValue compare(JsonValue left, JsonValue right, IntPredicate wanted) {
        return comparable(left, right)
                ? Bool.of(wanted.test(JsonOrder.INSTANCE.compare(left, right)))
                : JsonValue.UNDEFINED;
    }

    /** Only values of one kind have an order in expressions, and arrays and objects have none. */
    private static boolean comparable(JsonValue left, JsonValue right) {
        return switch (left) {
            case Num _ -> right instanceof Num;
            case Str _ -> right instanceof Str;
            case Bool _ -> right instanceof Bool;
            case Null _ -> right instanceof Null;
            case JsonValue.Undefined _, JsonValue.Arr _, JsonValue.Obj _ -> false;
        };
    }

    static JsonValue between(JsonValue target, JsonValue low, JsonValue high) {
        return comparable(target, low) && comparable(target, high)
                ? Bool.of(JsonOrder.INSTANCE.compare(target, low) >= 0 && JsonOrder.INSTANCE.compare(target, high) <= 0)
                : JsonValue.UNDEFINED;
    }

    private static JsonValue concat(JsonValue left, JsonValue right, Workspace workspace) {
        if (!(left instanceof Str(String first)) || !(right instanceof Str(String second))) {
            return JsonValue.UNDEFINED;
        }
        ValueSize.check((long) first.length() + second.length(), workspace);
        return new Str(first + second);
    }

    private static JsonValue arithmetic(JsonValue left, JsonValue right, DoubleBinaryOperator operator) {
        return left instanceof Num(double first, var _) && right instanceof Num(double second, var _)
                ? Numbers.finite(operator.applyAsDouble(first, second))
                : JsonValue.UNDEFINED;
    }

    /** As in JavaScript: the operands become signed integers of 32 bits; the unsigned shift alone gives more. */
    private interface IntOperator {
        long apply(int left, int right);
    }

    private static JsonValue bitwise(JsonValue left, JsonValue right, IntOperator operator) {
        return left instanceof Num(double first, var _) && right instanceof Num(double second, var _)
                ? new Num(operator.apply(Numbers.toInt32(first), Numbers.toInt32(second)))
                : JsonValue.UNDEFINED;
    }

    static JsonValue element(JsonValue target, JsonValue index) {
        return switch (target) {
            case JsonValue.Arr array ->
                index instanceof Num(double position, var _)
                                && position == Math.rint(position)
                                && position < Integer.MAX_VALUE
                        ? array.at((int) position)
                        : JsonValue.UNDEFINED;
            case JsonValue.Obj object -> index instanceof Str(String name) ? object.member(name) : JsonValue.UNDEFINED;
            case JsonValue.Undefined _, Null _, Bool _, Num _, Str _ -> JsonValue.UNDEFINED;
        };
    }
}
