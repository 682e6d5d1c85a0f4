/** The rules of the house: formatting, and which layer may know what. Begin with {@code Rules} among the tests. */
package dev.orrery.tidy;
