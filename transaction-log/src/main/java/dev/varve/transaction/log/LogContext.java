package dev.varve.transaction.log;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;
import java.nio.file.Path;

/**
 * Where a log lives and what it runs on.
 *
 * @param files the door to the disk
 * @param executor runs the log's workers and makes the signals that appenders wait on
 * @param directory holds the segments and the checkpoint, and nothing else
 * @param storeId number of the store that the log belongs to, written into every segment
 */
public record LogContext(FileSystem files, TaskExecutor executor, Path directory, long storeId) {}
