/** The nouns: values, names, definitions, keys, failures and limits. Begin with {@link Failure}. */
package dev.orrery.model;
