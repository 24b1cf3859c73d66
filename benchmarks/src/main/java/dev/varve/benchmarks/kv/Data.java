package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.store.StoreDurability;

/** The sets of records that phases work on; each store has its own copy of each. */
public enum Data {
  MAIN(1, 1, StoreDurability.PROCESS_CRASH),
  UNLOGGED(1, 1, StoreDurability.NONE),
  TWO_WRITERS(1, 1, StoreDurability.PROCESS_CRASH),
  CHECKED(1, 1, StoreDurability.PROCESS_CRASH),
  OVERWRITTEN(0.4, 1, StoreDurability.PROCESS_CRASH),
  LARGE(0.1, 10, StoreDurability.PROCESS_CRASH),
  INCREASING(1, 1, StoreDurability.PROCESS_CRASH),
  DURABLE(1, 1, StoreDurability.POWER_LOSS),
  DURABLE_SHARED(1, 1, StoreDurability.POWER_LOSS),
  LOG(0.2, 10, StoreDurability.PROCESS_CRASH),
  SCALE_1(1, 1, StoreDurability.PROCESS_CRASH),
  SCALE_2(2, 1, StoreDurability.PROCESS_CRASH),
  SCALE_4(4, 1, StoreDurability.PROCESS_CRASH),
  SCALE_10(10, 1, StoreDurability.PROCESS_CRASH);

  private final double share;
  private final int valueFactor;
  private final StoreDurability durability;

  Data(double share, int valueFactor, StoreDurability durability) {
    this.share = share;
    this.valueFactor = valueFactor;
    this.durability = durability;
  }

  /** How many records, when {@code --n} is {@code asked}. */
  public long records(long asked) {
    return Math.max(1, Math.round(share * asked));
  }

  /** Bytes of a value, when {@code --value} is {@code asked}. */
  public int valueBytes(int asked) {
    return valueFactor * asked;
  }

  /** In which order keys follow each other. */
  KeyOrder order() {
    return this == INCREASING ? KeyOrder.INCREASING : KeyOrder.RANDOM;
  }

  /** What its writes survive, in a store that can give that. */
  public StoreDurability durability() {
    return durability;
  }
}
