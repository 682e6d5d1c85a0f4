/** The command line around the patterns, and what it prints. Begin with {@link ModelingDemo}. */
package dev.orrery.example.modeling.demo;
