package dev.varve.hyracks.feed;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import java.io.Serializable;

/**
 * Describes where records come from. The description travels to the nodes inside a job, and each
 * feed partition opens its own share there; the shares are disjoint and together complete, whatever
 * their number. Immutable.
 */
public interface RecordSource extends Serializable {
  /**
   * Opens one share of the records.
   *
   * @param partition which share, from 0
   * @param partitions into how many shares the records are split
   * @param resume which records of inputs that can be read again are passed over
   */
  @MustBeClosed
  RecordStream open(int partition, int partitions, ResumePoints resume) throws StorageException;
}
