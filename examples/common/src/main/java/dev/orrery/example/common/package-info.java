/**
 * What the examples have in common around what they show: which server they ask, and how they end. Begin with {@link
 * Account}.
 */
package dev.orrery.example.common;
