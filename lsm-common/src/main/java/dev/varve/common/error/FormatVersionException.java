package dev.varve.common.error;

/** A file was written by a version, or in a format, that this engine does not read. */
public final class FormatVersionException extends StorageException {
  private static final long serialVersionUID = 1L;

  /**
   * Names the file and both versions.
   *
   * @param file the file that was refused
   * @param found the version in the file
   * @param newestReadable the newest version that this engine reads
   */
  public FormatVersionException(String file, int found, int newestReadable) {
    super(
        file
            + ": format version "
            + found
            + "; this engine reads up to version "
            + newestReadable
            + ", open it with the version that wrote it or a newer one",
        null);
  }
}
