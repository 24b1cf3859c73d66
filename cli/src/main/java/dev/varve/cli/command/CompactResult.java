package dev.varve.cli.command;

import dev.varve.cli.report.Console;
import dev.varve.cli.report.Figures;

/**
 * What a compaction did: printed as a line, or as JSON with these names.
 *
 * @param command {@code compact}
 * @param directory where
 * @param seconds how long it took
 * @param componentsBefore disk components of all indexes before
 * @param componentsAfter disk components of all indexes after
 * @param bytesBefore their bytes before
 * @param bytesAfter their bytes after
 */
record CompactResult(
    String command,
    String directory,
    double seconds,
    long componentsBefore,
    long componentsAfter,
    long bytesBefore,
    long bytesAfter) {
  void print(Console console) {
    console.printLine(
        Figures.count(componentsBefore)
            + " components of "
            + Figures.bytes(bytesBefore)
            + " became "
            + Figures.count(componentsAfter)
            + " of "
            + Figures.bytes(bytesAfter)
            + " in "
            + Figures.seconds(seconds));
  }
}
