package dev.varve.common.testkit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A simulated file: what the process sees, what is on disk, and the changes in between, in order.
 * Guarded by the lock of its file system.
 */
final class FileNode implements Node {
  /** Changes kept one by one; more are merged, which only loses versions in the middle. */
  private static final int CHANGES_MAX = 8192;

  private static final int PAGE_BYTES = 4096;

  /** A change that is not on disk for certain: {@code bytes} at {@code position}, or a cut. */
  static final class Change {
    private final long position;
    private final byte[] bytes;
    private final boolean cut;

    Change(long position, byte[] bytes, boolean cut) {
      this.position = position;
      this.bytes = bytes;
      this.cut = cut;
    }

    long position() {
      return position;
    }

    byte[] bytes() {
      return bytes;
    }

    boolean cut() {
      return cut;
    }

    long end() {
      return position + bytes.length;
    }

    void applyTo(Content content) {
      if (cut) {
        content.resize(position);
      } else {
        content.write(position, bytes, 0, bytes.length);
      }
    }
  }

  final Content live;
  Content durable;
  List<Change> pending = new ArrayList<>();

  FileNode() {
    this(new Content());
  }

  /** A file whose content is on disk. */
  FileNode(Content content) {
    live = content;
    durable = content.copy();
  }

  void write(long position, byte[] source, int offset, int length) {
    byte[] bytes = new byte[length];
    System.arraycopy(source, offset, bytes, 0, length);
    live.write(position, source, offset, length);
    pending.add(new Change(position, bytes, false));
    if (pending.size() > CHANGES_MAX) {
      mergeChanges();
    }
  }

  void truncate(long size) {
    live.resize(size);
    pending.add(new Change(size, new byte[0], true));
  }

  void force() {
    for (Change change : pending) {
      change.applyTo(durable);
    }
    pending = new ArrayList<>();
  }

  /**
   * Forces the pages of a range. The size of the file is not part of it: what lies beyond the
   * durable size stays unforced.
   */
  void forceRange(long from, long to) {
    long first = from / PAGE_BYTES * PAGE_BYTES;
    long last = Math.min(durable.size(), (to + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES);
    List<Change> rest = new ArrayList<>();
    for (Change change : pending) {
      long start = Math.max(first, change.position());
      long end = Math.min(last, change.end());
      if (change.cut() || start >= end) {
        rest.add(change);
        continue;
      }
      part(change, start, end).applyTo(durable);
      if (change.position() < start) {
        rest.add(part(change, change.position(), start));
      }
      if (end < change.end()) {
        rest.add(part(change, end, change.end()));
      }
    }
    pending = rest;
  }

  /**
   * A force that failed: the kernel marks the pages clean, so reads go on to return the new bytes
   * and no later force writes them.
   */
  void failForce() {
    pending = new ArrayList<>();
  }

  private static Change part(Change change, long from, long to) {
    byte[] bytes = new byte[(int) (to - from)];
    System.arraycopy(change.bytes(), (int) (from - change.position()), bytes, 0, (int) (to - from));
    return new Change(from, bytes, false);
  }

  private void mergeChanges() {
    if (pending.stream().anyMatch(Change::cut)) {
      return;
    }
    List<Change> sorted = new ArrayList<>(pending);
    sorted.sort(Comparator.comparingLong(Change::position));
    List<Change> merged = new ArrayList<>();
    long from = sorted.get(0).position();
    long to = sorted.get(0).end();
    for (Change change : sorted) {
      if (change.position() > to) {
        merged.add(new Change(from, live.bytes(from, (int) (to - from)), false));
        from = change.position();
        to = change.end();
      }
      to = Math.max(to, change.end());
    }
    merged.add(new Change(from, live.bytes(from, (int) (to - from)), false));
    pending = merged;
  }
}
