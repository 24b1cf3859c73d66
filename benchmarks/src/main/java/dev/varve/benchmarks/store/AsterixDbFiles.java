package dev.varve.benchmarks.store;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.IFileHandle;
import org.apache.hyracks.api.io.IODeviceHandle;
import org.apache.hyracks.control.nc.io.DefaultDeviceResolver;
import org.apache.hyracks.control.nc.io.IOManager;

/**
 * Hyracks' files with a count of reads, which may take longer: its buffer cache does not count what
 * it missed.
 */
final class AsterixDbFiles extends IOManager {
  private static final int IO_THREADS = 2;
  private static final int QUEUE = 16;

  private final ReadDelay delay;
  private final LongAdder reads = new LongAdder();

  AsterixDbFiles(Path directory, ReadDelay delay) throws HyracksDataException {
    super(
        List.of(new IODeviceHandle(directory.toFile(), "workspace")),
        new DefaultDeviceResolver(),
        IO_THREADS,
        QUEUE);
    this.delay = delay;
  }

  @Override
  public int syncRead(IFileHandle file, long offset, ByteBuffer data) throws HyracksDataException {
    reads.increment();
    delay.pay();
    return super.syncRead(file, offset, data);
  }

  /** Reads so far. */
  long reads() {
    return reads.sum();
  }
}
