/**
 * {@code varve shell}: the commands, one after the other, typed or out of a pipe.
 *
 * <p>May use: {@code cli.command}, {@code report}, {@code env} and {@code error} of lsm-common,
 * picocli, JLine. Threads: confined to the main thread. Owns and closes: the terminal, and the
 * engines that the commands of a shell share. Format: the history is a text file of JLine's.
 */
@NullMarked
package dev.varve.cli.shell;

import org.jspecify.annotations.NullMarked;
