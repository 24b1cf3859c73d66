package dev.varve.common.index;

import java.util.concurrent.atomic.LongAdder;

/** What an index has done since it was opened. Thread-safe. */
final class IndexCounters {
  final LongAdder flushes = new LongAdder();
  final LongAdder flushedBytes = new LongAdder();
  final LongAdder merges = new LongAdder();
  final LongAdder mergedBytes = new LongAdder();
  final ProbeCounters filters = new ProbeCounters();
}
