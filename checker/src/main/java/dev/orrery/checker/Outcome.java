package dev.orrery.checker;

/** How a request ended, as far as its client knows. */
public enum Outcome {
    /** It was answered with success. */
    DONE,
    /** It was refused because its condition did not hold, and has changed nothing. */
    CONDITION_FAILED,
    /** It was refused for another reason, and has certainly changed nothing. */
    NOT_DONE,
    /** Nobody knows: a write may have happened, may still happen at any later time, or never. */
    UNKNOWN
}
