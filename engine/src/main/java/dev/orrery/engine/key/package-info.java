/**
 * How everything is laid out as ordered bytes: one file per kind of key or value, encode beside decode. Begin with
 * {@link KeySpace}.
 */
package dev.orrery.engine.key;
