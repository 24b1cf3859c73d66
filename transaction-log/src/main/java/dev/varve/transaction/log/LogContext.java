package dev.varve.transaction.log;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a log lives and what it runs on.
 *
 * @param files the door to the disk
 * @param executor runs the log's workers and makes the signals that appenders wait on
 * @param directory holds the segments and the checkpoint, and nothing else
 * @param storeId number of the store that the log belongs to, written into every segment
 * @param quarantine where segments go that hold records and are no part of the log
 */
public record LogContext(
    FileSystem files, TaskExecutor executor, Path directory, long storeId, Quarantine quarantine) {
  /** A log that lies alone: what does not count of it goes to a quarantine in its directory. */
  public LogContext(FileSystem files, TaskExecutor executor, Path directory, long storeId) {
    this(files, executor, directory, storeId, new Quarantine(files, new SystemClock(), directory));
  }

  /** Creates the directory and its missing parents, durably; does nothing more when it is there. */
  public void createDirectory() throws DiskException {
    List<Path> toForce = new ArrayList<>();
    for (Path at = directory; at != null && !files.exists(at); at = at.getParent()) {
      Path parent = at.getParent();
      if (parent != null) {
        toForce.add(parent);
      }
    }
    files.createDirectories(directory);
    if (toForce.isEmpty()) {
      // It may have been created by a process that died before it forced the entry.
      Path parent = directory.getParent();
      if (parent != null) {
        toForce.add(parent);
      }
    }
    for (Path parent : toForce) {
      files.forceDirectory(parent);
    }
  }
}
