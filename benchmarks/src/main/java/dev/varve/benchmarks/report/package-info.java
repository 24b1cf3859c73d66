/**
 * What a comparison found, for people: tables, the goals that it is held against, and one HTML page
 * with plots. Nothing here measures.
 *
 * <p>May use: {@code benchmarks.measure}, the module {@code report}, Jackson. Threads: confined to
 * the main thread. Owns and closes: the files that it writes. Format: HTML in UTF-8 that needs no
 * other file; JSON is records of what was found.
 */
@NullMarked
package dev.varve.benchmarks.report;

import org.jspecify.annotations.NullMarked;
