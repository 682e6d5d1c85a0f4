package dev.orrery.sql.function;

import dev.orrery.model.json.JsonValue;
import dev.orrery.model.json.JsonValue.Num;
import java.util.List;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * Functions on numbers; an argument that is not a number, and a result that is not finite, give undefined. They are
 * computed by {@link StrictMath}, so that every machine gives the same digits.
 */
final class MathFunctions {
    static final List<Builtin> TABLE = List.of(
            row("ABS", "number", "The number without its sign.", "ABS(-3)", "3", Math::abs),
            row("ACOS", "cosine", "The angle in radians that has a cosine.", "ACOS(1)", "0", StrictMath::acos),
            row("ASIN", "sine", "The angle in radians that has a sine.", "ASIN(0)", "0", StrictMath::asin),
            row("ATAN", "tangent", "The angle in radians that has a tangent.", "ATAN(0)", "0", StrictMath::atan),
            row(
                    "ATN2",
                    "y, x",
                    "The angle in radians between the x axis and the way from the origin to the point (x, y).",
                    "ATN2(35.175643, 129.44)",
                    "0.265344532064832",
                    StrictMath::atan2),
            row(
                    "CEILING",
                    "number",
                    "The smallest whole number that is not below a number.",
                    "CEILING(1.2)",
                    "2",
                    Math::ceil),
            row("COS", "angle", "The cosine of an angle in radians.", "COS(0)", "1", StrictMath::cos),
            row(
                    "COT",
                    "angle",
                    "The cotangent of an angle in radians.",
                    "COT(124.1332)",
                    "-0.040311998371148884",
                    number -> 1 / StrictMath.tan(number)),
            row(
                    "DEGREES",
                    "radians",
                    "An angle in degrees.",
                    "DEGREES(3.141592653589793)",
                    "180",
                    StrictMath::toDegrees),
            row("EXP", "exponent", "The number e to a power.", "EXP(0)", "1", StrictMath::exp),
            row(
                    "FLOOR",
                    "number",
                    "The largest whole number that is not above a number.",
                    "FLOOR(-1.2)",
                    "-2",
                    Math::floor),
            Builtin.row(
                    Builtin.Group.MATH,
                    "LOG",
                    "number, base?",
                    "The logarithm of a number, the natural one if no base is given.",
                    "LOG(8, 2)",
                    "3",
                    (values, _) -> log(values)),
            row("LOG10", "number", "The logarithm of a number to the base 10.", "LOG10(1000)", "3", StrictMath::log10),
            Builtin.row(
                    Builtin.Group.MATH,
                    "NUMBERBIN",
                    "number, size?",
                    "A number rounded down to a multiple of a size, which is 1 if not given.",
                    "NUMBERBIN(37.752, 10)",
                    "30",
                    (values, _) -> numberBin(values)),
            Builtin.row(
                    Builtin.Group.MATH,
                    "PI",
                    "",
                    "The ratio of a circle's circumference to its diameter.",
                    "PI()",
                    "3.141592653589793",
                    (_, _) -> new Num(Math.PI)),
            row("POWER", "base, exponent", "A number to a power.", "POWER(2, 10)", "1024", StrictMath::pow),
            row(
                    "RADIANS",
                    "degrees",
                    "An angle in radians.",
                    "RADIANS(180)",
                    "3.141592653589793",
                    StrictMath::toRadians),
            Builtin.row(
                    Builtin.Group.MATH,
                    "RAND",
                    "",
                    "A random number from 0 up to, but without, 1.",
                    "RAND() < 1",
                    "true",
                    (_, context) -> new Num(context.random().nextDouble())),
            row(
                    "ROUND",
                    "number",
                    "The nearest whole number; halves go away from zero.",
                    "ROUND(-2.5)",
                    "-3",
                    MathFunctions::round),
            row("SIGN", "number", "-1, 0 or 1 for a number below, at or above zero.", "SIGN(-7)", "-1", Math::signum),
            row("SIN", "angle", "The sine of an angle in radians.", "SIN(0)", "0", StrictMath::sin),
            row("SQRT", "number", "The square root of a number.", "SQRT(9)", "3", StrictMath::sqrt),
            row("SQUARE", "number", "A number times itself.", "SQUARE(3)", "9", number -> number * number),
            row("TAN", "angle", "The tangent of an angle in radians.", "TAN(0)", "0", StrictMath::tan),
            row(
                    "TRUNC",
                    "number",
                    "A number without its fraction.",
                    "TRUNC(-2.7)",
                    "-2",
                    number -> number < 0 ? Math.ceil(number) : Math.floor(number)));

    private MathFunctions() {}

    private static Builtin row(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            DoubleUnaryOperator body) {
        return Builtin.row(
                Builtin.Group.MATH,
                name,
                parameters,
                description,
                example,
                result,
                (values, _) -> values[0] instanceof Num(double number, var _)
                        ? Numbers.finite(body.applyAsDouble(number) + 0.0) // -0 + 0 is 0
                        : JsonValue.UNDEFINED);
    }

    private static Builtin row(
            String name,
            String parameters,
            String description,
            String example,
            String result,
            DoubleBinaryOperator body) {
        return Builtin.row(
                Builtin.Group.MATH,
                name,
                parameters,
                description,
                example,
                result,
                (values, _) ->
                        values[0] instanceof Num(double left, var _) && values[1] instanceof Num(double right, var _)
                                ? Numbers.finite(body.applyAsDouble(left, right))
                                : JsonValue.UNDEFINED);
    }

    private static JsonValue log(JsonValue[] values) {
        if (!(values[0] instanceof Num(double number, var _))) {
            return JsonValue.UNDEFINED;
        }
        if (values.length == 1) {
            return Numbers.finite(StrictMath.log(number));
        }
        if (!(values[1] instanceof Num(double base, var _))) {
            return JsonValue.UNDEFINED;
        }
        // The quotient of two rounded logarithms is not always the nearest number.
        return Numbers.finite(base == 10 ? StrictMath.log10(number) : StrictMath.log(number) / StrictMath.log(base));
    }

    private static JsonValue numberBin(JsonValue[] values) {
        var size = values.length > 1 ? values[1] : new Num(1);
        return values[0] instanceof Num(double number, var _) && size instanceof Num(double bin, var _)
                ? Numbers.finite(Math.floor(number / bin) * bin)
                : JsonValue.UNDEFINED;
    }

    /** To the nearest whole number, halves away from zero. */
    private static double round(double number) {
        var whole = Math.floor(Math.abs(number));
        var rounded = Math.abs(number) - whole >= 0.5 ? whole + 1 : whole;
        return number < 0 ? -rounded : rounded;
    }
}
