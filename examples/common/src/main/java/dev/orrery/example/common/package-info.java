/** What the examples have in common around what they show: which server they ask, and how they end. */
package dev.orrery.example.common;
