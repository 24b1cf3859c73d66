package dev.varve.hyracks.feed;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Records with ids in a range: {@code {"id":7,"name":"name-007","group":7}}, where group is the id
 * modulo ten. Every {@code malformedEvery}-th is cut short; the stream breaks at {@code breakAt}.
 */
public record TestRecords(long first, long count, long malformedEvery, long breakAt)
    implements RecordSource {
  private static final long serialVersionUID = 1L;

  /** Records that were pulled from all sources of this class in this process. */
  public static final AtomicLong PULLED = new AtomicLong();

  /** Well-formed records only. */
  public static TestRecords range(long first, long count) {
    return new TestRecords(first, count, Long.MAX_VALUE, -1);
  }

  /** The same, with every n-th record cut short. */
  public TestRecords withMalformedEvery(long n) {
    return new TestRecords(first, count, n, breakAt);
  }

  /** The same, but reading the record with this id fails. */
  public TestRecords breakingAt(long id) {
    return new TestRecords(first, count, malformedEvery, id);
  }

  /** The record with an id. */
  public static String record(long id) {
    return "{\"id\":%d,\"name\":\"name-%08d\",\"group\":%d,\"text\":\"%s\"}"
        .formatted(id, id, id % 10, "x".repeat(300));
  }

  @Override
  public RecordStream open(int partition, int partitions, ResumePoints resume) {
    String input = "records %d of %d".formatted(partition, partitions);
    return new RecordStream() {
      private long number = resume.of(input);
      private long next = first + partition + number * partitions;

      @Override
      public String input() {
        return input;
      }

      @Override
      public long number() {
        return number;
      }

      @Override
      public boolean next(Slice record) throws StorageException {
        if (next >= first + count) {
          return false;
        }
        if (next == breakAt) {
          throw new DiskException("/records", "read", null);
        }
        byte[] json = record(next).getBytes(StandardCharsets.UTF_8);
        boolean malformed = (next - first + 1) % malformedEvery == 0;
        record.set(json, 0, malformed ? json.length - 1 : json.length);
        next += partitions;
        number++;
        PULLED.incrementAndGet();
        return true;
      }

      @Override
      public void close() {}
    };
  }
}
