/** The nouns: values, names, definitions, keys, failures and limits. */
package dev.orrery.model;
