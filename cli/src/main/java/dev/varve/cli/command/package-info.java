/**
 * The commands: one class each, with its arguments, and one record each for what it prints.
 *
 * <p>May use: the modules report, simulator and tweets, lsm-hyracks, lsm-dataset. Threads: confined
 * to the main thread, but for what a stop signal calls. Owns and closes: a command closes the
 * cluster and the files that it opens. Format: the file of acknowledgements, see {@link
 * dev.varve.cli.command.AcknowledgementFile}.
 */
@NullMarked
package dev.varve.cli.command;

import org.jspecify.annotations.NullMarked;
