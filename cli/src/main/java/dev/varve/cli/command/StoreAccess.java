package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.cli.command.RestingEngines.Access;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How commands that read come by the engines of a directory: each opens them for itself, or all of
 * a shell share those that the first one opened. Confined to the main thread.
 */
public final class StoreAccess implements AutoCloseable {
  private final @Nullable Path shared;
  private @Nullable RestingEngines open;

  private StoreAccess(@Nullable Path shared) {
    this.shared = shared;
  }

  /** Every command opens for itself. */
  public static StoreAccess each() {
    return new StoreAccess(null);
  }

  /** Commands that read a directory share its engines, until they are released. */
  public static StoreAccess sharing(Path directory) {
    return new StoreAccess(directory);
  }

  /**
   * The engines of a directory, to be read.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_DATASET} when there is none
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // what is shared is closed by its release
  RestingEngines read(FileSystem files, Path directory) throws StorageException {
    if (!directory.equals(shared)) {
      return RestingEngines.open(files, directory, Access.READ);
    }
    RestingEngines engines = open;
    if (engines == null) {
      engines = RestingEngines.open(files, directory, Access.READ);
      open = engines;
    }
    return engines.lend();
  }

  /** Closes what is shared, so that somebody else may have it; the next reader opens it again. */
  public void release() throws StorageException {
    RestingEngines engines = open;
    open = null;
    if (engines != null) {
      engines.close();
    }
  }

  @Override
  public void close() throws StorageException {
    release();
  }
}
