package dev.varve.simulator.reproduction;

import dev.varve.simulator.FlowDevice;
import dev.varve.simulator.FlowLoad;
import dev.varve.simulator.FlowLoad.Reads;
import dev.varve.simulator.FlowOptions;
import java.util.List;

/**
 * A mix of reads and writes that ADOC is measured with (section 6), each for an hour. Immutable.
 *
 * <p>YCSB's stages A to F run over 50 million records that have been loaded and merged, its load
 * into an empty store; keys are hit evenly. A read takes 10 µs and asks for a tenth of a page in
 * the mean, for most of what is read is in a cache; the latest records (D) for half of that, a
 * search of a range (E) takes five times as long and asks for five times as much. The paper prints
 * none of these.
 *
 * @param name for people
 * @param load what clients do
 */
record AdocMix(String name, FlowLoad load) {
  private static final double RECORDS = 50e6;
  private static final int RECORD_BYTES = 1010;
  private static final double WRITES_PER_SECOND = 150_000;
  private static final double READ_SECONDS = 10e-6;
  private static final double REQUESTS = 0.1;

  static final AdocMix FILL_RANDOM = new AdocMix("fillrandom", FlowLoad.FILL_RANDOM);

  static final AdocMix LOAD =
      new AdocMix(
          "YCSB load", new FlowLoad(RECORD_BYTES, WRITES_PER_SECOND, 1e9, 0, FlowLoad.NO_READS));

  static final AdocMix A = ycsb("A", 0.5, 1);
  static final AdocMix B = ycsb("B", 0.95, 1);

  /** Nothing is written; the model has a writer, and this one writes one record a second. */
  static final AdocMix C =
      new AdocMix("YCSB C", loaded().at(1).reading(new Reads(0, 1, READ_SECONDS, REQUESTS)));

  static final AdocMix D = ycsb("D", 0.95, 0.5);
  static final AdocMix E = ycsb("E", 0.95, 5);

  /** A half is read, the other half is read and written: two reads for each write. */
  static final AdocMix F = ycsb("F", 2.0 / 3, 1);

  static final List<AdocMix> YCSB = List.of(LOAD, A, B, C, D, F, E);

  /** All that tuners are compared with. */
  static List<AdocMix> all() {
    return List.of(FILL_RANDOM, readWhileWriting(1), readWhileWriting(8), LOAD, A, B, C, D, E, F);
  }

  /** {@code readwhilewriting}: a writer as fast as it can, and readers beside it. */
  static AdocMix readWhileWriting(int readers) {
    return new AdocMix(
        "readwhilewriting " + readers,
        FlowLoad.FILL_RANDOM.reading(new Reads(0, readers, READ_SECONDS, REQUESTS)));
  }

  private static FlowLoad loaded() {
    return new FlowLoad(RECORD_BYTES, WRITES_PER_SECOND, RECORDS, RECORDS, FlowLoad.NO_READS);
  }

  private static AdocMix ycsb(String workload, double part, double times) {
    double seconds = times > 1 ? times * READ_SECONDS : READ_SECONDS;
    return new AdocMix(
        "YCSB " + workload, loaded().reading(new Reads(part, 0, seconds, times * REQUESTS)));
  }

  /** A run of it. */
  FlowOptions under(FlowDevice device, String tuner) {
    return FlowOptions.paper(device, tuner).withLoad(load);
  }
}
