package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.store.ScanDirection;
import dev.varve.benchmarks.store.Store;
import dev.varve.benchmarks.store.StoreFigures;
import dev.varve.benchmarks.store.StoreSession;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;

/**
 * What no log can be faster than on this device: a put writes 128 bytes into a file that was
 * written before, and forces them. Confined to one thread.
 */
final class DeviceFloor implements Store, StoreSession {
  private static final int RECORD_BYTES = 128;
  private static final int FILE_BYTES = 64 << 20;
  private static final int CHUNK_BYTES = 1 << 20;

  private final StorageFile file;
  private final byte[] record = new byte[RECORD_BYTES];
  private long position;

  private DeviceFloor(StorageFile file) {
    this.file = file;
  }

  @SuppressWarnings("MustBeClosedChecker") // The file is the result's to close.
  static DeviceFloor open(FileSystem files, Path directory) throws BenchmarkException {
    try {
      StorageFile file = files.open(directory.resolve("floor"), OpenMode.CREATE_NEW);
      for (int at = 0; at < FILE_BYTES; at += CHUNK_BYTES) {
        file.write(at, new byte[CHUNK_BYTES], 0, CHUNK_BYTES);
      }
      file.force();
      return new DeviceFloor(file);
    } catch (DiskException failure) {
      throw new BenchmarkException("device", failure);
    }
  }

  @Override
  public StoreSession openSession() {
    return this;
  }

  @Override
  public void put(byte[] key, byte[] value) throws BenchmarkException {
    try {
      file.write(position, record, 0, RECORD_BYTES);
      file.force();
    } catch (DiskException failure) {
      throw new BenchmarkException("device", failure);
    }
    position = (position + RECORD_BYTES) % FILE_BYTES;
  }

  @Override
  public boolean insert(byte[] key, byte[] value) {
    throw new UnsupportedOperationException("not a store");
  }

  @Override
  public boolean delete(byte[] key) {
    throw new UnsupportedOperationException("not a store");
  }

  @Override
  public int get(byte[] key) {
    throw new UnsupportedOperationException("not a store");
  }

  @Override
  public int scan(byte[] from, int limit, ScanDirection direction) {
    throw new UnsupportedOperationException("not a store");
  }

  @Override
  public void settle() {
    // Every put is on the device already.
  }

  @Override
  public StoreFigures figures() {
    return new StoreFigures(1, FILE_BYTES);
  }

  /** Does nothing: the process ends next, and sessions are closed before their store. */
  @Override
  public void close() {
    assert position >= 0;
  }
}
