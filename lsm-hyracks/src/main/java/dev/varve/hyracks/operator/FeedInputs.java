package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.adapter.NodeStorage;
import dev.varve.hyracks.feed.FeedClaim;
import dev.varve.hyracks.feed.FeedLedger;
import dev.varve.hyracks.feed.FeedName;
import dev.varve.hyracks.feed.FeedReject;
import dev.varve.hyracks.feed.RefusalReason;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.hyracks.dataflow.common.comm.io.FrameTupleAccessor;
import org.jspecify.annotations.Nullable;

/**
 * The inputs of a named feed as one partition sees them: which of their records it had before.
 * Confined to its task.
 */
final class FeedInputs {
  /** Enough for the characters that are kept. */
  private static final int MOST_BYTES = 4 * FeedLedger.MOST_CHARACTERS;

  private final FeedClaim claim;
  private final FeedLedger ledger;
  private final Map<Long, FeedLedger.Input> inputs = new HashMap<>();
  private final Slice origin = new Slice();
  private final Slice name = new Slice();
  private FeedLedger.@Nullable Input current;

  private FeedInputs(FeedClaim claim, FeedLedger ledger) {
    this.claim = claim;
    this.ledger = ledger;
  }

  /**
   * Takes the partition from earlier runs of the feed, and reads how far they came.
   *
   * @param run number of this one
   */
  static FeedInputs open(NodeStorage node, FeedName feed, int partition, long run)
      throws StorageException {
    FeedClaim claim = node.feeds().claim(feed, partition);
    claim.take(run);
    return new FeedInputs(claim, FeedLedger.open(node.engine(), feed, partition));
  }

  FeedClaim claim() {
    return claim;
  }

  /** Whether a tuple is a record that is to be written; moves behind it in any case. */
  boolean isNew(FrameTupleAccessor frame, int tuple) {
    RecordTuples.view(frame, tuple, RecordTuples.ORIGIN_FIELD, origin);
    Long input = FeedOrigin.input(origin);
    long number = FeedOrigin.number(origin);
    boolean mark = FeedOrigin.isMark(origin);
    if (mark) {
      RecordTuples.view(frame, tuple, RecordTuples.RECORD_FIELD, name);
      if (name.length() > 0) {
        inputs.put(input, ledger.input(new String(name.toByteArray(), StandardCharsets.UTF_8)));
      }
    }
    FeedLedger.Input known = Objects.requireNonNull(inputs.get(input));
    current = known;
    boolean past = mark || known.isPast(number);
    known.pass(number, FeedOrigin.offset(origin));
    return !past;
  }

  /** Counts the record that was new as stored. */
  void countStored() {
    Objects.requireNonNull(current).countStored();
  }

  /** Counts the record that was new as refused, and keeps it. */
  void refuse(RefusalReason reason, String message, Slice record) {
    FeedLedger.Input of = Objects.requireNonNull(current);
    int length = Math.min(record.length(), MOST_BYTES);
    String text = new String(record.bytes(), record.offset(), length, StandardCharsets.UTF_8);
    ledger.refuse(of, new FeedReject(of.name(), FeedOrigin.number(origin), reason, message, text));
  }

  /** Makes counts and positions durable, and the records that they speak of. */
  void commit() throws StorageException {
    ledger.commit(FeedMarks.RECORDS);
  }

  /** The same, also where only the position has moved on. */
  void commitAll() throws StorageException {
    ledger.commit(1);
  }
}
