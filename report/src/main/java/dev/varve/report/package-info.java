/**
 * How results reach people and programs: tables, figures with units, progress, JSON, and pages with
 * plots.
 *
 * <p>May use: {@code env} and {@code error} of lsm-common, Jackson, progressbar, the webjar of
 * Chart.js. Threads: confined to the main thread. Owns and closes: nothing; streams belong to the
 * caller. Format: JSON in UTF-8, one document a run.
 */
@NullMarked
package dev.varve.report;

import org.jspecify.annotations.NullMarked;
