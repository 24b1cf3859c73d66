package dev.varve.common.error;

/**
 * Bytes on disk are not what was written: a checksum, a bound or a structural rule failed. The
 * engine never repairs by itself; restore the file from a backup, or salvage explicitly.
 */
public final class CorruptionException extends StorageException {
  private static final long serialVersionUID = 1L;

  private final String file;
  private final long offset;

  /**
   * Names the damaged place.
   *
   * @param file the damaged file
   * @param offset byte position in the file, or -1 when the file as a whole is meant
   * @param problem what was expected and what was found
   */
  public CorruptionException(String file, long offset, String problem) {
    super(offset < 0 ? file + ": " + problem : file + " at byte " + offset + ": " + problem, null);
    this.file = file;
    this.offset = offset;
  }

  /** The damaged file. */
  public String file() {
    return file;
  }

  /** Byte position in the file, or -1 when the file as a whole is meant. */
  public long offset() {
    return offset;
  }
}
