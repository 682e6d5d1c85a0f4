/** The rules of the house: formatting, and which layer may know what. */
package dev.orrery.tidy;
