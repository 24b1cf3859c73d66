package dev.varve.common.page;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which pages of one file are in the cache: where readers find them without a lock, and where the
 * cache puts them and takes them away. It is a superclass of the file and no field, so that a
 * reader that has the file is at its tables. Thread-safe.
 */
abstract class PageTable {
  // Tables are arrays of their own type: what comes out of an AtomicReferenceArray is cast, and a
  // cast reads the object, which point reads would wait for.
  private static final VarHandle FRAMES = MethodHandles.arrayElementVarHandle(Frame[].class);
  private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[][].class);
  private static final VarHandle AT = MethodHandles.arrayElementVarHandle(int[].class);

  /** By page number; accessed through {@link #FRAMES}. */
  private final @Nullable Frame[] frames;

  /** The bytes of each frame; accessed through {@link #BYTES}. */
  private final byte[] @Nullable [] bytes;

  /**
   * Where in its bytes each page begins; accessed through {@link #AT}. Beside them and not with
   * them in an object: a reader would wait for that.
   */
  private final int[] at;

  /**
   * By page number, 1 if a stamp was valid since the clock's hand passed last. Written without care
   * for other threads: a use that comes at the same moment as the hand may be overlooked, or count
   * when the page is there again.
   */
  private final byte[] readSinceSweep;

  private volatile boolean closed;

  /**
   * A table without pages.
   *
   * @param end the number behind the last page that may be in the cache
   */
  PageTable(int end) {
    this.frames = new Frame[end];
    this.bytes = new byte[end][];
    this.at = new int[end];
    this.readSinceSweep = new byte[end];
  }

  /** The file, for messages. */
  abstract String name();

  /** Whether there is such a page. */
  final boolean contains(int pageNumber) {
    return pageNumber > 0 && pageNumber < frames.length;
  }

  /** A page that the file contains, if it is in the cache. */
  final @Nullable Frame frame(int pageNumber) {
    return (Frame) FRAMES.getAcquire(frames, pageNumber);
  }

  /** The bytes of a page, if there is one of this number and it is in the cache. */
  final byte @Nullable [] bytes(int pageNumber) {
    return pageNumber <= 0 || pageNumber >= bytes.length
        ? null
        : (byte[]) BYTES.getAcquire(bytes, pageNumber);
  }

  /** Where a page begins in the {@link #bytes} that were found. */
  final int at(int pageNumber) {
    return (int) AT.getAcquire(at, pageNumber);
  }

  /** Copies a page if it is in the cache, which takes no notice; else null. */
  final byte @Nullable [] copyOf(int pageNumber, byte[] target) {
    Frame frame = contains(pageNumber) ? frame(pageNumber) : null;
    return frame == null ? null : copyOf(frame, target);
  }

  /** Copies the page of a frame that was found here; null when the frame is not here any more. */
  final byte @Nullable [] copyOf(Frame frame, byte[] target) {
    int length = frame.length();
    byte[] page = target.length < length ? new byte[length] : target;
    System.arraycopy(frame.bytes(), frame.at(), page, 0, length);
    // As a reader's stamp: a frame that is still here was here all the time.
    VarHandle.acquireFence();
    return frame(frame.pageNumber) == frame ? page : null;
  }

  /** Whether a page of this number is in the cache. */
  final boolean has(int pageNumber) {
    return contains(pageNumber) && frame(pageNumber) != null;
  }

  /** A stamp of the page was valid. */
  final void markRead(int pageNumber) {
    if (readSinceSweep[pageNumber] == 0) {
      readSinceSweep[pageNumber] = 1;
    }
  }

  /** Whether a stamp was valid since this was asked last. Called under the page's shard's lock. */
  final boolean takeReadSinceSweep(int pageNumber) {
    boolean taken = readSinceSweep[pageNumber] != 0;
    readSinceSweep[pageNumber] = 0;
    return taken;
  }

  /** Bytes of pages in the cache that a reader asked for. Visits every page's frame. */
  final long askedForBytes() {
    long asked = 0;
    for (int i = 0; i < frames.length; i++) {
      Frame frame = frame(i);
      if (frame != null && (readSinceSweep[i] != 0 || frame.wasAskedFor())) {
        asked += frame.length();
      }
    }
    return asked;
  }

  /** Numbers of all units of the pages that are in the cache. */
  final BitSet cachedPages(int pageSize) {
    BitSet cached = new BitSet(frames.length);
    for (int i = 0; i < frames.length; i++) {
      Frame frame = frame(i);
      if (frame != null) {
        cached.set(i, i + frame.length() / pageSize);
      }
    }
    return cached;
  }

  /** Puts a frame where readers find it, unless closed. Called under its shard's lock. */
  final boolean publish(Frame frame) {
    if (!closed) {
      // Whoever finds the frame finds its bytes and place, or later ones.
      AT.setRelease(at, frame.pageNumber, frame.at());
      BYTES.setRelease(bytes, frame.pageNumber, frame.bytes());
      FRAMES.setRelease(frames, frame.pageNumber, frame);
    }
    return !closed;
  }

  /** Takes a dead frame away. Called under its shard's lock. */
  final void unpublish(Frame frame) {
    if (FRAMES.compareAndSet(frames, frame.pageNumber, frame, null)) {
      BYTES.setRelease(bytes, frame.pageNumber, null);
    }
  }

  /** Lets no frames in any more. */
  final void refusePages() {
    closed = true;
  }

  /** Whether no frames are let in. */
  final boolean refusesPages() {
    return closed;
  }

  /** Takes all frames away, those too that are being evicted meanwhile. */
  final List<Frame> unpublishAll() {
    List<Frame> taken = new ArrayList<>();
    for (int i = 0; i < frames.length; i++) {
      Frame frame = (Frame) FRAMES.getAndSet(frames, i, null);
      if (frame != null) {
        BYTES.setRelease(bytes, i, null);
        taken.add(frame);
      }
    }
    return taken;
  }
}
