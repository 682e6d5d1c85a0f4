package dev.orrery.model.definition;

/** A choice among words: any case is read, one spelling is written. */
interface Spelled {
    String spelling();
}
