/** Eight questions of data modelling, each answered both ways, with what either answer takes. */
package dev.orrery.example.modeling;
