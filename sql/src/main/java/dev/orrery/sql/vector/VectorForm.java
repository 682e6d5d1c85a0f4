package dev.orrery.sql.vector;

import dev.orrery.model.json.JsonValue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * A vector as an index keeps it: {@code kind | component..}, in the shortest of a few kinds that loses little or nothing.
 *
 * <p>Which kind that is depends on the numbers and not on the policy of the container: nothing keeps clients from writing
 * fractions where the policy speaks of bytes.
 */
public enum VectorForm {
    /** Whole numbers from -128 to 127, one byte each. Kinds are on disk: append only. */
    SIGNED(0, Byte.BYTES),
    /** Whole numbers from 0 to 255, one byte each. */
    UNSIGNED(1, Byte.BYTES),
    /** Numbers that are floats, four bytes each, the lowest first. */
    FLOATS(2, Float.BYTES),
    /** The same for numbers that are not, rounded. */
    ROUNDED(3, Float.BYTES),
    /** Numbers too large or too close to 0 for that, eight bytes each, the lowest first. */
    DOUBLES(4, Double.BYTES);

    /** By how much a number can change when it is rounded to a float, as a part of it. */
    static final double ROUNDING = 0x1p-24;

    private static final VarHandle FLOAT = MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle DOUBLE =
            MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VectorForm[] ALL = values();

    private final byte kind;
    private final int width;

    VectorForm(int kind, int width) {
        this.kind = (byte) kind;
        this.width = width;
    }

    /** The bytes for a value; empty when it is not a vector with so many dimensions. */
    public static Optional<byte[]> encode(JsonValue value, int dimensions) {
        return Vectors.read(value).filter(vector -> vector.length == dimensions).map(VectorForm::encode);
    }

    static byte[] encode(double[] vector) {
        for (var form : ALL) {
            if (form.acceptsAll(vector)) {
                return form.write(vector);
            }
        }
        throw new IllegalStateException("There is a form for every vector.");
    }

    private boolean acceptsAll(double[] vector) {
        for (var number : vector) {
            if (!accepts(number)) {
                return false;
            }
        }
        return true;
    }

    private boolean accepts(double number) {
        return switch (this) {
            case SIGNED -> number == (byte) number;
            case UNSIGNED -> number == ((int) number & 0xFF);
            case FLOATS -> number == (float) number;
            case ROUNDED -> {
                var size = Math.abs((float) number);
                yield number == 0 || (size >= Float.MIN_NORMAL && size <= Float.MAX_VALUE);
            }
            case DOUBLES -> true;
        };
    }

    private byte[] write(double[] vector) {
        var bytes = new byte[1 + width * vector.length];
        bytes[0] = kind;
        for (var index = 0; index < vector.length; index++) {
            var place = 1 + width * index;
            switch (this) {
                case SIGNED, UNSIGNED -> bytes[place] = (byte) (int) vector[index];
                case FLOATS, ROUNDED -> FLOAT.set(bytes, place, (float) vector[index]);
                case DOUBLES -> DOUBLE.set(bytes, place, vector[index]);
            }
        }
        return bytes;
    }

    static VectorForm of(byte[] bytes) {
        for (var form : ALL) {
            if (bytes.length > 0 && form.kind == bytes[0]) {
                return form;
            }
        }
        throw new IllegalStateException("A stored vector has an unknown form.");
    }

    /** Reads bytes of this form into an array with as many components. */
    void decode(byte[] bytes, double[] into) {
        if (bytes.length != 1 + width * into.length) {
            throw new IllegalStateException("A stored vector has the wrong length.");
        }
        switch (this) {
            case SIGNED -> {
                for (var index = 0; index < into.length; index++) {
                    into[index] = bytes[1 + index];
                }
            }
            case UNSIGNED -> {
                for (var index = 0; index < into.length; index++) {
                    into[index] = bytes[1 + index] & 0xFF;
                }
            }
            case FLOATS, ROUNDED -> {
                for (var index = 0; index < into.length; index++) {
                    into[index] = (float) FLOAT.get(bytes, 1 + Float.BYTES * index);
                }
            }
            case DOUBLES -> {
                for (var index = 0; index < into.length; index++) {
                    into[index] = (double) DOUBLE.get(bytes, 1 + Double.BYTES * index);
                }
            }
        }
    }
}
