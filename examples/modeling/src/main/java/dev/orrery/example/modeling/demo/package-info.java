/** The command line around the patterns, and what it prints. */
package dev.orrery.example.modeling.demo;
