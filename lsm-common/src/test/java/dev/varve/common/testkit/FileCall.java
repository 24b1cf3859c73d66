package dev.varve.common.testkit;

/** The calls of the file-system seam, as fault plans and crash points name them. */
public enum FileCall {
  /** Opens an existing file. */
  OPEN(false),
  /** Opens a new file. */
  CREATE(true),
  /** Asks whether a path is there. */
  EXISTS(false),
  /** Lists a directory. */
  LIST(false),
  /** Asks for the size of a file, open or not. */
  SIZE(false),
  /** Creates directories. */
  MKDIR(true),
  /** Renames. */
  RENAME(true),
  /** Deletes. */
  DELETE(true),
  /** Forces a directory. */
  FORCEDIR(true),
  /** Asks for free space. */
  USABLE(false),
  /** Asks which device it is. */
  DEVICE(false),
  /** Locks a directory. */
  LOCK(true),
  /** Reads from a file. */
  READ(false),
  /** Writes to a file. */
  WRITE(true),
  /** Forces a file. */
  FORCE(true),
  /** Cuts a file. */
  TRUNCATE(true),
  /** Maps a range of a file. */
  MAP(false),
  /** Puts into a mapped region. */
  PUT(true),
  /** Makes the pages of a mapped region writable. */
  TOUCH(false),
  /** Forces a range of a mapped region. */
  SYNC(true);

  private final boolean changesDisk;

  FileCall(boolean changesDisk) {
    this.changesDisk = changesDisk;
  }

  /** Whether a crash in this call can leave another disk than a crash in the call before it. */
  public boolean changesDisk() {
    return changesDisk;
  }
}
