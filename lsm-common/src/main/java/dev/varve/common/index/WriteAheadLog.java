package dev.varve.common.index;

import dev.varve.common.error.StorageException;

/** The log as an index sees it: a growing position, and the promise to make it durable. */
public interface WriteAheadLog {
  /** The log of an index whose operations are not logged. */
  WriteAheadLog NONE =
      new WriteAheadLog() {
        @Override
        public long endLsn() {
          return 0;
        }

        @Override
        public void force() {}
      };

  /** The LSN that the next record will get; every record written before is below it. */
  long endLsn();

  /** Returns once every record appended before the call survives a power loss. */
  void force() throws StorageException;

  /**
   * Returns once every operation that was logged up to an LSN survives a power loss, in the log or
   * in a disk component; those of one index are about to.
   *
   * @param index whose operations up to the LSN are all in disk components, or in the one that is
   *     being made durable, and are transactions of one operation each
   */
  default void forceOthers(int index, long lsn) throws StorageException {
    force();
  }
}
