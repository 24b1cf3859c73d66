/** The varve command: it parses, calls and prints, and decides nothing. */
@org.jspecify.annotations.NullMarked
package dev.varve.cli;
