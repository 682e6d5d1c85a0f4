package dev.orrery.store;

import java.util.Arrays;

/** One change inside a commit. The bytes belong to the mutation from then on: whoever made it changes them no more. */
public sealed interface Mutation {

    /** Sets the value of a key, whether or not it had one. */
    @SuppressWarnings("ArrayRecordComponent") // Equality is by content, and nobody changes the bytes.
    record Put(byte[] key, byte[] value) implements Mutation {

        public Put {
            Keys.check(key);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Put put && Arrays.equals(key, put.key) && Arrays.equals(value, put.value);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(key) + Arrays.hashCode(value);
        }
    }

    /** Removes a key; nothing happens when it is not there. */
    @SuppressWarnings("ArrayRecordComponent") // Equality is by content, and nobody changes the bytes.
    record Delete(byte[] key) implements Mutation {

        public Delete {
            Keys.check(key);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Delete delete && Arrays.equals(key, delete.key);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(key);
        }
    }

    /**
     * Removes every key of a range. For large ranges removed seldom, such as an old stretch of a log: in a store of
     * sorted files each one is remembered, and slows reads nearby, until the files are merged.
     */
    record DeleteRange(KeyRange range) implements Mutation {}
}
