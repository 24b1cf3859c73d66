package dev.varve.benchmarks.adoc;

import dev.varve.scheduler.admission.WriteGate;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.policy.PartitionedPolicyText;
import dev.varve.scheduler.tuner.TunerLimits;
import dev.varve.scheduler.tuner.WriteLimits;
import dev.varve.simulator.FlowDevice;
import dev.varve.simulator.FlowLoad;
import dev.varve.simulator.FlowOptions;
import dev.varve.simulator.FlowSimulation;
import dev.varve.simulator.SimulationOptions;

/**
 * How small a node is beside ADOC's. Bandwidths and the client's pace are a part of the paper's;
 * data, memory components, levels and limits in bytes are the same part, or a smaller one for a
 * time that passes faster.
 *
 * @param part of the paper's bandwidths, above 0 and at most 1
 * @param faster how many seconds of the paper pass in one, at least 1
 * @param recordBytes a record with its key of eight bytes
 */
public record AdocScale(double part, double faster, int recordBytes) {
  /** A level is so many times the one above it. */
  private static final int SIZE_RATIO = 10;

  private static final long LEAST_COMPONENT_BYTES = 64 << 10;
  private static final double YCSB_RECORDS = 50e6;
  private static final int READ_AND_WRITTEN = 2;
  private static final double WINDOW_SECONDS = 10;
  private static final int YCSB_RECORD_BYTES = 1_010;

  /** Checks the numbers. */
  public AdocScale {
    if (!(part > 0 && part <= 1) || !(faster >= 1) || recordBytes < 64 || recordBytes > 4_000) {
      throw new IllegalArgumentException(
          ("a part of %s, %s times as fast, records of %d bytes; allowed are a part above 0 and at"
                  + " most 1, times from 1 on, and from 64 to 4000 bytes")
              .formatted(part, faster, recordBytes));
    }
    if (TunerLimits.paper(1).memoryStepBytes() * part / faster < LEAST_COMPONENT_BYTES) {
      throw new IllegalArgumentException(
          "a part of %s, %s times as fast, leaves less than %d bytes for a memory component"
              .formatted(part, faster, LEAST_COMPONENT_BYTES));
    }
  }

  /** Bytes of data that stand for so many of the paper's. */
  long dataBytes(double bytes) {
    return Math.max(1, Math.round(bytes * part / faster));
  }

  /** Bytes per second that stand for so many of the paper's. */
  long rate(double bytesPerSecond) {
    return Math.max(1, Math.round(bytesPerSecond * part));
  }

  /** Keys of {@code fillrandom}. */
  long keys() {
    FlowLoad load = FlowLoad.FILL_RANDOM;
    return Math.max(1_000, dataBytes(load.keys() * load.recordBytes()) / recordBytes);
  }

  /** Records of YCSB's load. */
  long ycsbRecords() {
    return Math.max(1_000, dataBytes(YCSB_RECORDS * YCSB_RECORD_BYTES) / recordBytes);
  }

  /** How many operations a client does in a second when nothing holds it back. */
  double operationsPerSecond() {
    FlowLoad load = FlowLoad.FILL_RANDOM;
    return (double) rate(load.writesPerSecond() * load.recordBytes()) / recordBytes;
  }

  /** RocksDB's write controller as the paper has it. */
  WriteGate gate() {
    WriteLimits paper = WriteLimits.ADOC;
    return new WriteGates.Controlled(
        new WriteLimits(
            paper.level0Slow(),
            paper.level0Stop(),
            dataBytes((double) paper.pendingSlowBytes()),
            dataBytes((double) paper.pendingStopBytes()),
            rate((double) paper.delayedBytesPerSecond())));
  }

  /** RocksDB's leveled compaction for memory components of a size; components are as large. */
  String policy(long memoryComponentBytes) {
    return PartitionedPolicyText.parse(
            "partitioned-leveling(%d, %d, %d, 4, concurrent) limit %d"
                .formatted(
                    SIZE_RATIO,
                    4 * memoryComponentBytes,
                    memoryComponentBytes,
                    WriteLimits.ADOC.level0Stop()))
        .describe();
  }

  /**
   * What a memory component of a node holds before its tuner changes anything: RocksDB's 64 MB, or
   * the most that a tuner may have.
   */
  long memoryComponentBytes(String tuner) {
    TunerLimits paper = TunerLimits.paper(1);
    boolean keeps = tuner.equals("fixed") || tuner.equals("auto-tuned");
    return dataBytes((double) (keeps ? paper.memoryStepBytes() : paper.mostMemoryBytes()));
  }

  /**
   * What the simulator says of {@code fillrandom}, at this scale. Its device counts what merges
   * read as well, which an I/O budget does not, and a thread of it may use all of the device.
   *
   * @param seconds of the run, here
   */
  double simulatedPerSecond(FlowDevice device, String tuner, double seconds) {
    long bytes = READ_AND_WRITTEN * device.bytesPerSecond();
    FlowDevice budget =
        new FlowDevice(device.name(), bytes, bytes, bytes, 0, 0, device.requestSeconds());
    FlowOptions options =
        FlowOptions.paper(budget, tuner)
            .withTime(new SimulationOptions.Time(seconds * faster, 0, WINDOW_SECONDS));
    return FlowSimulation.run(options).recordsPerSecond()
        * part
        * FlowLoad.FILL_RANDOM.recordBytes()
        / recordBytes;
  }

  /** All of a node's options that matter, in one line. */
  public String options(String tuner) {
    long component = memoryComponentBytes(tuner);
    return "memory components of %d bytes, %s, %s"
        .formatted(component, policy(component), gate().describe());
  }
}
