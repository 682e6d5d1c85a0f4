/**
 * Eight questions of data modelling, each answered both ways, with what either answer takes. Begin with {@link
 * Pattern}.
 */
package dev.orrery.example.modeling;
