package dev.varve.common.error;

import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
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
    super(operation + " " + path + (cause == null ? "" : ": " + said(path, cause)), cause);
  }

  /** What the operating system said, without the path that stands before it already. */
  private static String said(String path, Throwable cause) {
    if (!(cause instanceof FileSystemException failure)) {
      return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
    String reason = failure.getReason() == null ? kind(failure) : failure.getReason();
    String file = failure.getFile();
    return file == null || file.equals(path) ? reason : reason + " (" + file + ")";
  }

  /** What the class of an exception without a reason says. */
  private static String kind(FileSystemException failure) {
    if (failure instanceof NoSuchFileException) {
      return "no such file or directory";
    }
    if (failure instanceof AccessDeniedException) {
      return "access denied";
    }
    if (failure instanceof FileAlreadyExistsException) {
      return "it exists already";
    }
    if (failure instanceof DirectoryNotEmptyException) {
      return "the directory is not empty";
    }
    return failure instanceof NotDirectoryException
        ? "not a directory"
        : failure.getClass().getSimpleName();
  }
}
