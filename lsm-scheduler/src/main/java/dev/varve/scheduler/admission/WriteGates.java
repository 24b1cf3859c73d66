package dev.varve.scheduler.admission;

import dev.varve.scheduler.admission.WriteConditions.Usage;
import dev.varve.scheduler.admission.WriteGate.Decision;
import dev.varve.scheduler.policy.TextForm;
import dev.varve.scheduler.tuner.StallClass;
import dev.varve.scheduler.tuner.Tuner;
import dev.varve.scheduler.tuner.WriteController;
import dev.varve.scheduler.tuner.WriteLimits;
import java.util.List;
import java.util.Optional;

/**
 * The gates that there are, and how options write them down: {@code stop}, {@code slow(0.5, 10m)},
 * {@code spring(0.5, 10m)}, {@code cap(4m)}, {@code controller}. What {@link WriteGate#describe}
 * prints is read back to an equal gate. Stateless.
 */
public final class WriteGates {
  /** What may be written, for help texts and messages. */
  public static final List<String> FORMS =
      List.of(
          "stop",
          "slow(FROM, BYTES_PER_SECOND)",
          "spring(FROM, BYTES_PER_SECOND)",
          "cap(BYTES_PER_SECOND)",
          "controller[(SLOW, STOP, SLOW_BYTES, STOP_BYTES, BYTES_PER_SECOND)]");

  /** Writes run as fast as they can, and stop where something is full. */
  public static final WriteGate STOP = new Stopping();

  private WriteGates() {}

  /**
   * Reads a gate.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  public static WriteGate parse(String text) {
    return TextForm.read(
        text, "write gate", String.join(" | ", FORMS), form -> build(form.withoutLimit()));
  }

  private static WriteGate build(TextForm form) {
    switch (form.name()) {
      case "stop":
        form.checkCount(0, 0);
        return STOP;
      case "slow":
        form.checkCount(2, 2);
        return new Slowing(Pressure.COMPONENTS, form.fraction(0), form.bytes(1));
      case "spring":
        form.checkCount(2, 2);
        return new Slowing(Pressure.MEMORY, form.fraction(0), form.bytes(1));
      case "cap":
        form.checkCount(1, 1);
        return new Capped(form.bytes(0));
      case "controller":
        form.checkCount(form.has(0) ? 5 : 0, 5);
        return new Controlled(form.has(0) ? limits(form) : WriteLimits.ROCKSDB);
      default:
        throw new IllegalArgumentException("there is no gate '" + form.name() + "'");
    }
  }

  private static WriteLimits limits(TextForm form) {
    return new WriteLimits(
        form.integer(0), form.integer(1), form.bytes(2), form.bytes(3), form.bytes(4));
  }

  /**
   * The gate that holds while a tuner runs: a write controller has the tuner's limits, and a tuner
   * that paces writers has one also where the node's gate only stops them.
   *
   * @param asked what is configured
   * @param own the limits of a node whose gate has none
   */
  public static WriteGate under(Tuner tuner, WriteGate asked, WriteLimits own) {
    if (asked instanceof Controlled controlled) {
      return new Controlled(tuner.writeLimits(controlled.limits()));
    }
    return tuner.pacesWriters() && asked.equals(STOP)
        ? new Controlled(tuner.writeLimits(own))
        : asked;
  }

  /**
   * Lets writes run as fast as they can until something is full, and stops them then: the
   * interaction that On Performance Stability in LSM-based Storage Systems shows to delay each
   * write least. Causes are looked at in the order of {@link StallCause}. Immutable.
   */
  public record Stopping() implements WriteGate {
    @Override
    public Decision decide(WriteConditions conditions) {
      if (conditions.failedFlush().isPresent()) {
        return closed(StallCause.DISK_SPACE, "a flush failed: " + conditions.failedFlush().get());
      }
      if (conditions.freeMemoryComponents() == 0) {
        return closed(StallCause.MEMORY_FULL, "every memory component waits for its flush");
      }
      if (conditions.memoryBytes().full()) {
        return closed(
            StallCause.MEMORY_FULL,
            "flushes are behind: " + conditions.memoryBytes() + " bytes of memory components");
      }
      if (conditions.sharedBytes().full()) {
        return closed(
            StallCause.MEMORY_BUDGET,
            "flushes are behind: "
                + conditions.sharedBytes()
                + " bytes of the memory that all datasets share");
      }
      if (conditions.components().full()) {
        return closed(
            StallCause.COMPONENT_LIMIT,
            "merges are behind: " + conditions.components() + " disk components");
      }
      if (conditions.logBytes().full()) {
        return closed(
            StallCause.LOG_SPACE,
            "the log's low-water mark is behind: " + conditions.logBytes() + " bytes of log");
      }
      return new Decision.Open();
    }

    @Override
    public String describe() {
      return "stop";
    }
  }

  /** What slows writes down. */
  public enum Pressure {
    /** Disk components: merges are behind. */
    COMPONENTS,
    /** Bytes of memory: flushes are behind. The spring of bLSM's spring and gear. */
    MEMORY
  }

  /**
   * Stops writes as {@link Stopping} does, and slows them down before it comes to that: from a part
   * of the limit on, the rate falls in a straight line to nothing at the limit (On Performance
   * Stability in LSM-based Storage Systems, section 5.1.2). No write waits long then, but more of
   * them wait. Immutable.
   *
   * @param by what is looked at
   * @param from the part of the limit from which on writes slow down, at least 0 and below 1
   * @param bytesPerSecond the rate there, at least 1
   */
  public record Slowing(Pressure by, double from, long bytesPerSecond) implements WriteGate {
    /** Checks the parameters. */
    public Slowing {
      if (!(from >= 0 && from < 1)) {
        throw new IllegalArgumentException("slow: from " + from + " is not in [0, 1)");
      }
      if (bytesPerSecond < 1) {
        throw new IllegalArgumentException("slow: " + bytesPerSecond + " bytes per second");
      }
    }

    @Override
    public Decision decide(WriteConditions conditions) {
      Decision stopping = STOP.decide(conditions);
      if (!(stopping instanceof Decision.Open)) {
        return stopping;
      }
      Usage usage =
          switch (by) {
            case COMPONENTS -> conditions.components();
            case MEMORY -> fuller(conditions.memoryBytes(), conditions.sharedBytes());
          };
      if (usage.fraction() <= from) {
        return stopping;
      }
      double left = (1 - usage.fraction()) / (1 - from);
      String holder =
          switch (by) {
            case COMPONENTS -> "merges are behind: " + usage + " disk components";
            case MEMORY -> "flushes are behind: " + usage + " bytes of memory components";
          };
      return new Decision.Paced(
          Math.max(1, Math.round(left * bytesPerSecond)), StallCause.PACE, holder);
    }

    private static Usage fuller(Usage one, Usage other) {
      return one.fraction() >= other.fraction() ? one : other;
    }

    @Override
    public String describe() {
      String name =
          switch (by) {
            case COMPONENTS -> "slow";
            case MEMORY -> "spring";
          };
      return name + "(" + from + ", " + bytesPerSecond + ")";
    }
  }

  /**
   * Stops writes as {@link Stopping} does, and caps their rate otherwise (the "Limit" of On
   * Performance Stability in LSM-based Storage Systems, figure 13): bursts wait before the gate
   * instead of filling the index. Fewer stops, longer waits. Immutable.
   *
   * @param bytesPerSecond the cap, at least 1
   */
  public record Capped(long bytesPerSecond) implements WriteGate {
    /** Checks the cap. */
    public Capped {
      if (bytesPerSecond < 1) {
        throw new IllegalArgumentException("cap(" + bytesPerSecond + "): at least one byte");
      }
    }

    @Override
    public Decision decide(WriteConditions conditions) {
      Decision stopping = STOP.decide(conditions);
      return stopping instanceof Decision.Open
          ? new Decision.Paced(bytesPerSecond, StallCause.PACE, "the cap on writes")
          : stopping;
    }

    @Override
    public String describe() {
      return "cap(" + bytesPerSecond + ")";
    }
  }

  /**
   * Stops writes as {@link Stopping} does, and slows them down or stops them sooner as RocksDB's
   * write controller does, by the components of level 0 and the bytes that wait for merges. The
   * {@link WriteController} is the one that the simulator asks. Immutable.
   *
   * @param limits from where on; a policy's own component limit counts where it is lower
   */
  public record Controlled(WriteLimits limits) implements WriteGate {
    @Override
    public Decision decide(WriteConditions conditions) {
      Decision stopping = STOP.decide(conditions);
      if (!(stopping instanceof Decision.Open) || conditions.controller().isEmpty()) {
        return stopping;
      }
      WriteController controller = conditions.controller().get();
      boolean level0 = controller.cause().equals(Optional.of(StallClass.LEVEL_ZERO));
      return switch (controller.state()) {
        case FREE -> stopping;
        case DELAYED ->
            new Decision.Paced(
                Math.max(1, Math.round(controller.bytesPerSecond())),
                level0 ? StallCause.LEVEL_ZERO_PACE : StallCause.PENDING_BYTES_PACE,
                controller.holder());
        case STOPPED ->
            closed(
                level0 ? StallCause.COMPONENT_LIMIT : StallCause.PENDING_BYTES,
                controller.holder());
      };
    }

    @Override
    public String describe() {
      return "controller(%d, %d, %d, %d, %d)"
          .formatted(
              limits.level0Slow(),
              limits.level0Stop(),
              limits.pendingSlowBytes(),
              limits.pendingStopBytes(),
              limits.delayedBytesPerSecond());
    }
  }

  private static Decision closed(StallCause cause, String holder) {
    return new Decision.Closed(cause, holder);
  }
}
