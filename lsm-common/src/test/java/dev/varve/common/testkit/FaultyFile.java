package dev.varve.common.testkit;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.MappedRegion;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An open file of a {@link FaultyFileSystem}. Thread-safe. */
final class FaultyFile implements StorageFile {
  private final FaultyFileSystem files;
  private final StorageFile inner;

  FaultyFile(FaultyFileSystem files, StorageFile inner) {
    this.files = files;
    this.inner = inner;
    files.open().opened(this, "file " + inner.path());
  }

  @Override
  public Path path() {
    return inner.path();
  }

  @Override
  public long size() throws DiskException {
    files.enter(FileCall.SIZE, path());
    return inner.size();
  }

  @Override
  public int read(long position, byte[] target, int offset, int length) throws DiskException {
    FaultPlan.Hit hit = files.enter(FileCall.READ, path());
    if (hit == null) {
      return inner.read(position, target, offset, length);
    }
    if (hit.fault() == FaultPlan.Fault.SHORT) {
      return inner.read(position, target, offset, Math.min(length, hit.number()));
    }
    int count = inner.read(position, target, offset, length);
    flip(target, offset, count, hit.number());
    return count;
  }

  @Override
  public void prefetch(long position, long length) throws DiskException {
    files.enter(FileCall.READ, path());
    inner.prefetch(position, length);
  }

  @Override
  public void write(long position, byte[] source, int offset, int length) throws DiskException {
    FaultPlan.Hit hit = files.enter(FileCall.WRITE, path());
    if (hit == null) {
      inner.write(position, source, offset, length);
      return;
    }
    switch (hit.fault()) {
      case SHORT -> {
        inner.write(position, source, offset, Math.min(length, hit.number()));
        if (hit.number() < length) {
          throw FaultyFileSystem.failure(FileCall.WRITE, path(), "No space left on device");
        }
      }
      case FLIP -> inner.write(position, flipped(source, offset, length, hit), 0, length);
      case SHIFT -> inner.write(position + hit.number(), source, offset, length);
      case LOST -> {
        // The disk says yes and does nothing.
      }
      case EIO, ENOSPC, OOM, INTERRUPT -> throw new AssertionError(hit);
    }
  }

  @Override
  public void force() throws DiskException {
    FaultPlan.Hit hit;
    try {
      hit = files.enter(FileCall.FORCE, path());
    } catch (DiskException planned) {
      if (inner instanceof MemoryFile file) {
        file.failForce();
      }
      throw planned;
    }
    if (hit == null) {
      inner.force();
    }
  }

  @Override
  public void truncate(long size) throws DiskException {
    FaultPlan.Hit hit = files.enter(FileCall.TRUNCATE, path());
    if (hit == null) {
      inner.truncate(size);
    }
  }

  @Override
  @MustBeClosed
  public MappedRegion map(long position, int length) throws DiskException {
    files.enter(FileCall.MAP, path());
    return new Region(inner.map(position, length));
  }

  @Override
  public void close() {
    files.open().closed(this);
    inner.close();
  }

  private final class Region implements MappedRegion {
    private final MappedRegion mapped;

    Region(MappedRegion mapped) {
      this.mapped = mapped;
      files.open().opened(this, "region of " + path());
    }

    @Override
    public void put(int position, byte[] source, int offset, int length) throws DiskException {
      FaultPlan.Hit hit = files.enter(FileCall.PUT, path());
      if (hit == null) {
        mapped.put(position, source, offset, length);
      } else if (hit.fault() == FaultPlan.Fault.FLIP) {
        mapped.put(position, flipped(source, offset, length, hit), 0, length);
      } else if (hit.fault() == FaultPlan.Fault.SHIFT) {
        mapped.put(position + hit.number(), source, offset, length);
      } else {
        assert hit.fault() == FaultPlan.Fault.LOST;
      }
    }

    @Override
    public void prefault() throws DiskException {
      if (files.enter(FileCall.TOUCH, path()) == null) {
        mapped.prefault();
      }
    }

    @Override
    public void force(int position, int length) throws DiskException {
      FaultPlan.@Nullable Hit hit;
      try {
        hit = files.enter(FileCall.SYNC, path());
      } catch (DiskException planned) {
        if (mapped instanceof MemoryRegion region) {
          region.failForce();
        }
        throw planned;
      }
      if (hit == null) {
        mapped.force(position, length);
      }
    }

    @Override
    public void close() {
      files.open().closed(this);
      mapped.close();
    }
  }

  private static byte[] flipped(byte[] source, int offset, int length, FaultPlan.Hit hit) {
    byte[] copy = Arrays.copyOfRange(source, offset, offset + length);
    flip(copy, 0, length, hit.number());
    return copy;
  }

  private static void flip(byte[] bytes, int offset, int length, int bit) {
    if (length > 0) {
      long at = bit % (8L * length);
      bytes[offset + (int) (at / 8)] ^= (byte) (1 << (at % 8));
    }
  }
}
