package dev.varve.scheduler.budget;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One member's part in the bytes per second that all flushes, merges and reclaims on one device may
 * write together, in the order of {@link IoPurpose}, whoever's they are; members that write for the
 * same purpose share evenly. Ask {@link #begin} before a batch, wait, ask again, and tell {@link
 * #end} what was written. Thread-safe; it holds no clock and makes nobody wait itself. Whoever
 * joined leaves, with {@link #close}.
 */
public final class IoBudget implements AutoCloseable {
  /** Null: no rate to keep to. */
  private final @Nullable DeviceBudget device;

  private final Consumer<IoBudget> leave;
  private final AtomicBoolean left = new AtomicBoolean();

  IoBudget(@Nullable DeviceBudget device, Consumer<IoBudget> leave) {
    this.device = device;
    this.leave = leave;
  }

  /** A budget that never makes anybody wait, and that nobody else notices. */
  public static IoBudget unlimited() {
    return new IoBudget(null, unlimited -> {});
  }

  /** A budget of at least one byte per second for a device that nobody else knows. */
  public static IoBudget ofBytesPerSecond(long bytesPerSecond) {
    checkRate(bytesPerSecond);
    DeviceBudget alone = new DeviceBudget();
    IoBudget budget = new IoBudget(alone, alone::leave);
    alone.join(budget, bytesPerSecond);
    return budget;
  }

  static void checkRate(long bytesPerSecond) {
    if (bytesPerSecond < 1) {
      throw new IllegalArgumentException("I/O budget of " + bytesPerSecond + " bytes per second");
    }
  }

  /** The device's rate now, the lowest that a member asks for; 0 for none. */
  public long bytesPerSecond() {
    long rate = device == null ? Long.MAX_VALUE : device.bytesPerSecond();
    return rate == Long.MAX_VALUE ? 0 : rate;
  }

  /**
   * Changes what this member asks for, from the next batch on; what was charged before stays as it
   * was.
   *
   * @param bytesPerSecond at least 1; {@link Long#MAX_VALUE} for no rate of its own
   * @throws IllegalStateException when it was joined without a rate, which nobody else notices
   */
  public void setBytesPerSecond(long bytesPerSecond) {
    checkRate(bytesPerSecond);
    if (device == null) {
      throw new IllegalStateException("a budget without a device has no rate to change");
    }
    device.setRate(this, bytesPerSecond);
  }

  /**
   * The most that should be written between two questions, so that one batch is a small part of a
   * second; a lower bound keeps tiny budgets from writing page by page.
   */
  public long batchBytes() {
    return device == null ? Long.MAX_VALUE : device.batchBytes();
  }

  /** How long it takes at most until a member that waits may write a batch, flushes aside. */
  public long roundNanos() {
    return device == null ? 0 : device.roundNanos();
  }

  /**
   * How long a batch has to wait from now on. When that is 0, the batch has begun, and {@link #end}
   * has to be told what came of it.
   */
  public long begin(IoPurpose purpose, long nowNanos) {
    return device == null ? 0 : device.begin(this, purpose, nowNanos);
  }

  /** A batch has ended just now; 0 bytes when it wrote nothing. */
  public void end(IoPurpose purpose, long bytes, long nowNanos) {
    if (device != null) {
      device.end(this, purpose, bytes, nowNanos);
    }
  }

  /** Leaves the device to the others; idempotent. Its batches have ended. */
  @Override
  public void close() {
    if (left.compareAndSet(false, true)) {
      leave.accept(this);
    }
  }
}
