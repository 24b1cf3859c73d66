package dev.varve.benchmarks.kv;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.varve.benchmarks.measure.Pace;
import dev.varve.benchmarks.store.StoreMemory;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is compared, and how.
 *
 * @param contenders the stores, in the order of the tables
 * @param phases what they do, in order
 * @param rows the main data
 * @param memory what each store may use
 * @param directory where the stores are, each in a directory of its own
 * @param pace how long everything takes; loads of all records by one writer in random order at most
 *     the cap, others half of it
 */
public record ComparisonSettings(
    List<Contender> contenders,
    List<Phase> phases,
    Rows rows,
    StoreMemory memory,
    Path directory,
    Pace pace) {
  /** Copies the lists. */
  public ComparisonSettings {
    contenders = List.copyOf(contenders);
    phases = List.copyOf(phases);
  }

  /** Rounds of a short phase that reads of a store that was just opened take. */
  static final int OPENING_WINDOWS = 3;

  /**
   * The records of the main data.
   *
   * @param count how many there are
   * @param valueBytes size of their values
   * @param seed of everything that is random
   */
  public record Rows(long count, int valueBytes, long seed) {}

  /**
   * The pace of an action. Forces take as long as the device has them take, and scans of all
   * records as long as memory does; on a shared machine both change by a third from second to
   * second. Their rounds are a third as long and three times as many.
   */
  Pace pace(Action action) {
    return action == Action.COMMIT || action == Action.SCAN_ALL ? pace.finer(3) : pace;
  }

  /** What a store's rounds of a short phase take together; forced commits warm up for as long. */
  double measuredSeconds() {
    return pace.windowSeconds() * pace.rounds();
  }

  /** Bytes of keys and values of some data. */
  long userBytes(Data data) {
    return data.records(rows.count) * (Records.KEY_BYTES + data.valueBytes(rows.valueBytes));
  }

  /** Bytes that the disk should have: of all copies that are there at a time, with their slack. */
  @JsonIgnore
  public long roomBytes() {
    long largest = 0;
    for (Phase phase : phases) {
      largest = Math.max(largest, userBytes(phase.data()));
    }
    // MVStore takes fifteen times the user's bytes before it gives room back.
    return largest * 6 * (contenders.size() + 1);
  }

  /** How long it will take, at the rates of a machine with two cores. */
  @JsonIgnore
  public double estimatedSeconds() {
    return phases.stream().mapToDouble(this::estimatedSeconds).sum();
  }

  double estimatedSeconds(Phase phase) {
    return contenders(phase).stream()
        .mapToDouble(contender -> estimatedSeconds(phase, contender))
        .sum();
  }

  /** The stores that take part in a phase. */
  List<Contender> contenders(Phase phase) {
    if (phase.suite() == Suite.SCALE) {
      return contenders.subList(0, 1);
    }
    if (phase.action() == Action.COMMIT && phase.threads() == 1) {
      return Stream.concat(contenders.stream(), Stream.of(Contender.DEVICE)).toList();
    }
    return contenders;
  }

  /**
   * Seconds after which a load is cut off: a store that is has loaded less than the others, and
   * gets slower with what it holds. Growing loads are let to their end.
   */
  double capSeconds(Data data) {
    return switch (data) {
      case MAIN, UNLOGGED, CHECKED, OVERWRITTEN -> pace.capSeconds();
      case SCALE_1, SCALE_2, SCALE_4, SCALE_10 -> 20 * pace.capSeconds();
      default -> pace.capSeconds() / 2;
    };
  }

  private double estimatedSeconds(Phase phase, Contender contender) {
    if (contender.refusal(phase.data().durability()).isPresent() && phase.demandsDurability()) {
      return 0;
    }
    long records = phase.data().records(rows.count);
    return switch (phase.action().extent()) {
      case RECORDS ->
          Math.min(capSeconds(phase.data()) * 1.2, records / 120e3 + 2) + StoreCopy.WARM_UP_SECONDS;
      case TRIPLE -> Math.min(pace.capSeconds(), 3 * records / 250e3 + 2) + records / 500e3;
      case FIFTH -> Math.min(pace.capSeconds() / 2, records / 400e3 + 2);
      case OPENING -> 2 + OPENING_WINDOWS * pace.windowSeconds();
      case WINDOW ->
          pace.windowSeconds()
              + measuredSeconds() * (phase.action() == Action.COMMIT ? 2 : 1)
              + (phase.action().reads() ? records / 2.5e6 : 0);
      case PASS -> pace(phase.action()).rounds() * (records / 2.5e6 + pace.windowSeconds() / 3);
    };
  }
}
