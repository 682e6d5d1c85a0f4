/** Tells from what clients have seen whether a database has kept its promises. */
package dev.orrery.checker;
