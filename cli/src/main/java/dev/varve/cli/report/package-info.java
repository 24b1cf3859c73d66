/**
 * How results reach people and programs: tables, figures with units, progress, and JSON.
 *
 * <p>May use: the JDK, Jackson, progressbar. Threads: confined to the main thread. Owns and closes:
 * nothing; streams belong to the caller. Format: JSON in UTF-8, one document a run.
 */
@NullMarked
package dev.varve.cli.report;

import org.jspecify.annotations.NullMarked;
