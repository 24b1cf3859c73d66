/**
 * The varve command and what is promised about it in the documents.
 *
 * <p>May use: everything. Threads: commands run on the test's thread. Owns and closes: temporary
 * directories. Format: none.
 */
package dev.varve.it.cli;
