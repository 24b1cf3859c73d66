package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.feed.RecordSource;
import dev.varve.hyracks.feed.RecordStream;
import dev.varve.hyracks.feed.ResumePoints;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A source that ends early when somebody says so: what was read until then goes through the feed
 * and is acknowledged, which a cancelled job can't promise. Works within one process, where an
 * embedded cluster is. Immutable.
 *
 * @param source where the records come from
 * @param name what {@link #stop} knows this feed by
 */
record StoppableSource(RecordSource source, UUID name) implements RecordSource {
  private static final long serialVersionUID = 1L;

  // A source travels to the nodes as a copy; the copies of one feed meet here.
  private static final Set<UUID> STOPPED = ConcurrentHashMap.newKeySet();

  /** Lets every stream of the feed end before its next record. */
  static void stop(UUID name) {
    STOPPED.add(name);
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The inner stream is the result's to close.
  public RecordStream open(int partition, int partitions, ResumePoints resume)
      throws StorageException {
    return new StoppableStream(source.open(partition, partitions, resume), name);
  }

  private static final class StoppableStream implements RecordStream {
    private final RecordStream stream;
    private final UUID name;

    StoppableStream(RecordStream stream, UUID name) {
      this.stream = stream;
      this.name = name;
    }

    @Override
    public boolean next(Slice record) throws StorageException {
      return !STOPPED.contains(name) && stream.next(record);
    }

    @Override
    public String input() {
      return stream.input();
    }

    @Override
    public long number() {
      return stream.number();
    }

    @Override
    public long offset() {
      return stream.offset();
    }

    @Override
    public String place() {
      return stream.place();
    }

    @Override
    public @Nullable String problem() {
      return stream.problem();
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
