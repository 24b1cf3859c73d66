/**
 * The frame of a command: what it runs with, how it is started, told to stop and said to have
 * failed, and what its process costs.
 *
 * <p>May use: {@code report}, {@code env} and {@code error} of lsm-common, picocli. Threads:
 * confined to the main thread, but for what a stop signal calls. Owns and closes: nothing. Format:
 * /proc/self/status of Linux.
 */
@NullMarked
package dev.varve.report.command;

import org.jspecify.annotations.NullMarked;
