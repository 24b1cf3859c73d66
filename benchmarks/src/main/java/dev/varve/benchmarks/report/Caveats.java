package dev.varve.benchmarks.report;

import java.util.List;

/**
 * What can be held against a comparison, in sentences that stand beside its tables. Figures are of
 * runs apart from it.
 */
public final class Caveats {
  /** Of key-value stores. */
  public static final List<String> OF_STORES =
      List.of(
          "Loads begin in a JVM that has loaded for up to five seconds; in one that has not, Varve's"
              + " was 3.1 to 3.8 times RocksDB's instead of 5.2 to 5.4.",
          "Forced commits begin in a JVM that has committed for as long; in one that has not, those of"
              + " 16 threads were 1.4 to 1.9 times RocksDB's instead of 2.0 to 2.1.",
          "Opening after a kill comes after that of an empty store in the same JVM; as the first in"
              + " its JVM Varve's took 0.6 s more, and those of RocksDB as it comes and of LMDB 0.2.",
          "RocksDB and LMDB are measured through their Java bindings, JNI and JNR: 470 and 92 ns a"
              + " row of a full scan are mostly crossings.",
          "Each phase of reads but read-cold follows a pass over all records, so that nothing is"
              + " read from the disk in it.",
          "Sizes of loads are taken before anything is overwritten, and bytes written by a load"
              + " count that without a log; both stand after overwriting in main.overwrite.",
          "Large merges of Varve go past the system's cache, those of the others through it; RocksDB"
              + " gained nothing past it.",
          "The phases of scale, up to ten times the records, run the first store alone.",
          "Keys are chosen uniformly and as fast as a store takes them: 'varve bench ycsb' has"
              + " Zipf's law, and arrivals at a pace with --arrivals.");

  /** Of indexes. */
  public static final List<String> OF_INDEXES =
      List.of(
          "The store 'varve' is its index alone, past transactions, log and dataset, which no user"
              + " reaches: 'varve-keys' and 'varve-records' are what users have.");

  /** Of strategies for secondary indexes. */
  public static final List<String> OF_STRATEGIES =
      List.of(
          "With --no-direct-reads the operating system keeps the files in memory, too: a page that is"
              + " not in the engine's cache costs a copy, and no read of the device.",
          "AsterixDB's storage takes part alone: it parses, locks and logs nothing, its reads come"
              + " from the operating system's cache, and flushes and merges are its own.");

  /** Of YCSB's workloads. */
  public static final List<String> OF_YCSB =
      List.of(
          "RocksDB is measured through its Java binding, JNI, as any Java program meets it.",
          "A load ends when its last insert returns, in any store: flushes and merges that are left"
              + " are done before or while the first workload runs.",
          "Varve updates a record under its lock; RocksDB's client, like YCSB's own, reads and puts"
              + " without one.");

  /** Of transfers. */
  public static final List<String> OF_TRANSFERS =
      List.of(
          "RocksDB is measured through its Java binding, JNI, as any Java program meets it.",
          "MVStore writes what was committed in the background: a crash of the process may take the"
              + " last second of it, where the others lose nothing.",
          "A sixth of each store's time, before all phases, is not measured: in it JVMs compile.",
          "Transactions of Xodus that write take turns, so that none of them is refused.",
          "Accounts of a transaction are taken in ascending order in each store, so that no"
              + " deadlock costs anything.");

  /** Of tuners. */
  public static final List<String> OF_TUNERS =
      List.of(
          "A device is an I/O budget: it shares bandwidth as the paper's do, but knows no seek, no"
              + " garbage collection and no slower thread; one merge thread can use all of it.",
          "The paper's SILK runs on another version of RocksDB than its ADOC; here all tuners run"
              + " on one engine.");

  private Caveats() {}
}
