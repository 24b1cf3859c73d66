package dev.varve.common.error;

import org.jspecify.annotations.Nullable;

/** The operating system refused a file operation, or ran out of space in the middle of it. */
public final class DiskException extends StorageException {
  private static final long serialVersionUID = 1L;

  /**
   * Names the file, the operation and the first cause.
   *
   * @param path the file or directory
   * @param operation what was tried, as a verb: {@code write}, {@code force}
   * @param cause what the operating system said
   */
  public DiskException(String path, String operation, @Nullable Throwable cause) {
    super(operation + " " + path + (cause == null ? "" : ": " + cause.getMessage()), cause);
  }
}
