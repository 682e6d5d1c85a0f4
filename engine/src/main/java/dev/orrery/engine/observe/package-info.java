/** What is told of every request, for whoever looks at requests from outside. Begin with {@link Observer}. */
package dev.orrery.engine.observe;
