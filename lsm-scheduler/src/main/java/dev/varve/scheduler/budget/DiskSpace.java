package dev.varve.scheduler.budget;

import dev.varve.common.error.StorageException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * One member's door to the space of a device, which the merges of all members reserve before they
 * begin, so that no two of them count on the same bytes. Thread-safe. Whoever joined leaves, with
 * {@link #close}.
 */
public final class DiskSpace implements AutoCloseable {
  /** How a merge that wants to begin stands with disk space. */
  public enum Decision {
    /** What it may need is its own. */
    MADE,
    /** It is to wait for other merges, a member's own or those of others, which will free space. */
    LATER,
    /** No other merge will free any. */
    REFUSED
  }

  /**
   * What came of a question.
   *
   * @param decision what becomes of the merge
   * @param usableBytes what the device had left
   */
  public record Answer(Decision decision, long usableBytes) {}

  /** Asks how many bytes may still be written to a device. */
  @FunctionalInterface
  public interface FreeSpace {
    /** Bytes left; {@link Long#MAX_VALUE} for as many as anybody needs. */
    long usableBytes() throws StorageException;
  }

  private final DeviceSpace device;
  private final FreeSpace free;
  private final Consumer<DiskSpace> leave;
  private final AtomicBoolean left = new AtomicBoolean();
  private volatile Runnable onFreed = () -> {};

  DiskSpace(DeviceSpace device, FreeSpace free, Consumer<DiskSpace> leave) {
    this.device = device;
    this.free = free;
    this.leave = leave;
  }

  /** The space of a device that nobody else knows. */
  public static DiskSpace alone(FreeSpace free) {
    DeviceSpace device = new DeviceSpace();
    DiskSpace member = new DiskSpace(device, free, device::leave);
    device.join(member);
    return member;
  }

  /** A device with space for everything. */
  public static DiskSpace unlimited() {
    return alone(() -> Long.MAX_VALUE);
  }

  /** From now on this is run, by any thread, whenever a merge of any member has ended. */
  public void onFreed(Runnable action) {
    onFreed = action;
  }

  void freed() {
    onFreed.run();
  }

  /**
   * Reserves as much as a merge may write. What others have reserved and not written is theirs.
   *
   * @param merge which of this member's
   */
  public Answer reserve(long merge, long neededBytes) throws StorageException {
    return device.reserve(new DeviceSpace.Claim(this, merge), neededBytes, free);
  }

  /** A merge that has reserved will write so much more at most. */
  public void left(long merge, long bytes) {
    device.left(new DeviceSpace.Claim(this, merge), bytes);
  }

  /** A merge has ended, and the space of its input is free; nothing if it had not reserved. */
  public void release(long merge) {
    device.release(new DeviceSpace.Claim(this, merge));
  }

  /** How many merges of all members have given their reservation back. */
  public long releases() {
    return device.releases();
  }

  /** Gives back what its merges have reserved; idempotent. None of them writes any more. */
  @Override
  public void close() {
    if (left.compareAndSet(false, true)) {
      leave.accept(this);
      device.tellMembers();
    }
  }
}
