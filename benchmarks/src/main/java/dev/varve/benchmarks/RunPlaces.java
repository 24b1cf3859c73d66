package dev.varve.benchmarks;

import dev.varve.benchmarks.kv.ScratchFiles;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import dev.varve.report.command.CommandContext;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a run has its files.
 *
 * @param time when it began, UTC, as its directories are called
 * @param out where the report goes
 * @param scratch where the stores are, each in a directory of its own; gone in the end
 * @param logs where what their processes print to stderr goes
 */
record RunPlaces(String time, Path out, Path scratch, Path logs) {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /** How the names of scratch directories begin. */
  private static final String PREFIX = "varve-bench-";

  /**
   * The places of a run that begins now.
   *
   * @param directory where to make the scratch directory; null for where builds put such things
   * @param wanted where the report goes; null for a directory that is named by the time
   */
  static RunPlaces of(CommandContext context, @Nullable Path directory, @Nullable Path wanted)
      throws DiskException {
    String time =
        TIME.format(
            Instant.ofEpochMilli(context.clock().currentTimeMillis()).atOffset(ZoneOffset.UTC));
    Path out = wanted == null ? Path.of("bench-results", time) : wanted;
    Path parent = directory == null ? parent(context.files()) : directory;
    return new RunPlaces(
        time,
        out,
        parent.resolve(PREFIX + time).toAbsolutePath(),
        out.resolve("logs").toAbsolutePath());
  }

  private static Path parent(FileSystem files) throws DiskException {
    Path target = Path.of("target");
    return files.exists(target)
        ? target
        : Path.of(
            ManagementFactory.getRuntimeMXBean()
                .getSystemProperties()
                .getOrDefault("java.io.tmpdir", "."));
  }

  /** The scratch directories beside this one, of runs that were killed, go on, or kept theirs. */
  List<Path> others(FileSystem files) throws DiskException {
    return files.list(Objects.requireNonNull(scratch.getParent())).stream()
        .filter(path -> !path.equals(scratch) && path.getFileName().toString().startsWith(PREFIX))
        .toList();
  }

  /** Makes the directories. */
  void create(FileSystem files) throws DiskException {
    files.createDirectories(scratch);
    files.createDirectories(logs);
  }

  /** Removes what nobody needs any more. */
  void clean(FileSystem files) throws DiskException {
    ScratchFiles.delete(scratch, files);
  }

  /** Removes logs without a line. */
  void deleteEmptyLogs(FileSystem files) throws DiskException {
    for (Path log : files.list(logs)) {
      if (files.size(log) == 0) {
        files.delete(log);
      }
    }
    if (files.list(logs).isEmpty()) {
      files.delete(logs);
    }
  }
}
