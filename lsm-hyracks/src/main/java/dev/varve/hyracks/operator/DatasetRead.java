package dev.varve.hyracks.operator;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.DatasetPartition;
import dev.varve.dataset.KeyValue;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.dataset.model.RankedCursor;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.adapter.NodeStorage;
import java.util.Map;
import java.util.Objects;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.dataflow.IOperatorNodePushable;
import org.apache.hyracks.api.dataflow.value.IRecordDescriptorProvider;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.job.IOperatorDescriptorRegistry;
import org.apache.hyracks.dataflow.std.base.AbstractSingleActivityOperatorDescriptor;
import org.apache.hyracks.dataflow.std.base.AbstractUnaryOutputSourceOperatorNodePushable;

/**
 * Reads partitions of a dataset: a range of primary keys, or what a secondary index finds, whose
 * entries are sorted by primary key, looked up and validated. Sends the records with their keys,
 * one tuple with their number, or the values of a field with theirs. A search for the nearest is
 * sent nearest first, each key with its distance before it, so that the partitions can be merged by
 * it; what a B+-tree finds has its values there, to be sorted by them first.
 */
final class DatasetRead extends AbstractSingleActivityOperatorDescriptor {
  private static final long serialVersionUID = 1L;

  /** So many different values are gathered before they are sent, some of them again later. */
  private static final int MOST_VALUES = 1 << 16;

  private final ReadRequest request;
  private final PartitionTable routing;
  private final int firstPartition;

  /**
   * Reads as many partitions as the job gives this operator.
   *
   * @param firstPartition which partition the first of its tasks reads
   */
  DatasetRead(
      IOperatorDescriptorRegistry job,
      ReadRequest request,
      PartitionTable routing,
      int firstPartition) {
    super(job, 0, 1);
    this.request = request;
    this.routing = routing;
    this.firstPartition = firstPartition;
    outRecDescs[0] = RecordTuples.descriptor();
  }

  @Override
  public IOperatorNodePushable createPushRuntime(
      IHyracksTaskContext task, IRecordDescriptorProvider records, int partition, int partitions) {
    int local = routing.localOf(firstPartition + partition);
    return new AbstractUnaryOutputSourceOperatorNodePushable() {
      @Override
      public void initialize() throws HyracksDataException {
        Emission.run(writer, this::read);
      }

      private void read() throws HyracksDataException, StorageException {
        RecordTuples.Writer output = new RecordTuples.Writer(task, writer);
        DatasetPartition target = target(NodeStorage.of(task));
        switch (request.answer()) {
          case RECORDS -> {
            if (request.isOrdered()) {
              sendOrdered(target, output, options(task));
            } else {
              sendRecords(target, output);
            }
          }
          case COUNT -> sendCount(target, output);
          case ONE -> sendOne(target, output);
          case VALUES -> sendValues(target, output, options(task));
        }
        output.finish();
      }

      /** One record is read as it is now; all else as of the moment of the job on this node. */
      private DatasetPartition target(NodeStorage node) throws StorageException {
        Dataset dataset = node.engine().dataset(request.dataset());
        return request.answer() == ReadRequest.Answer.ONE
            ? dataset.partition(local)
            : node.snapshotFor(task).partition(dataset, local);
      }
    };
  }

  private DatasetOptions options(IHyracksTaskContext task) throws StorageException {
    return NodeStorage.of(task).engine().dataset(request.dataset()).options();
  }

  /** All of them: which are the first ones, the sort behind this tells. */
  private void sendOrdered(
      DatasetPartition partition, RecordTuples.Writer output, DatasetOptions dataset)
      throws HyracksDataException, StorageException {
    KeyEncoder rank = new KeyEncoder();
    try (RecordCursor cursor = open(partition)) {
      // Where there is no such index, the search has said so.
      IndexDefinition index =
          dataset.indexes().stream()
              .filter(each -> each.name().equals(request.index()))
              .findFirst()
              .orElseThrow();
      FieldValues values = new FieldValues(dataset, index.paths());
      while (cursor.next()) {
        Slice value = Objects.requireNonNull(values.of(cursor.value()));
        rank.reset().addBytes(value.bytes(), value.offset(), value.length());
        output.write(rank.addEncoded(cursor.key()).toSlice(), cursor.value());
      }
    }
  }

  private void sendValues(
      DatasetPartition partition, RecordTuples.Writer output, DatasetOptions dataset)
      throws HyracksDataException, StorageException {
    Aggregate.Gathering gathering = request.aggregate().gather(dataset);
    try (RecordCursor cursor = open(partition)) {
      while (cursor.next()) {
        gathering.add(cursor.value());
        if (gathering.size() >= MOST_VALUES) {
          sendValues(gathering, output);
        }
      }
    }
    sendValues(gathering, output);
  }

  private static void sendValues(Aggregate.Gathering gathering, RecordTuples.Writer output)
      throws HyracksDataException {
    KeyEncoder number = new KeyEncoder();
    for (Map.Entry<Key, Long> each : gathering.take().entrySet()) {
      Slice records = number.reset().addLong(each.getValue()).toSlice();
      output.write(each.getKey().toSlice(), records);
    }
  }

  private void sendRecords(DatasetPartition partition, RecordTuples.Writer output)
      throws HyracksDataException, StorageException {
    long sent = 0;
    KeyEncoder rank = new KeyEncoder();
    try (RecordCursor cursor = open(partition)) {
      while (sent < request.limit() && cursor.next()) {
        sent++;
        Slice key = cursor.key();
        if (cursor instanceof RankedCursor ranked) {
          key = rank.reset().addDouble(ranked.distance()).addEncoded(key).toSlice();
        }
        output.write(key, cursor.value());
      }
    }
  }

  private void sendCount(DatasetPartition partition, RecordTuples.Writer output)
      throws HyracksDataException, StorageException {
    long count = request.limit() == Long.MAX_VALUE ? countAll(partition) : countFirst(partition);
    output.write(new Slice(Bytes.EMPTY), new KeyEncoder().addLong(count).toSlice());
  }

  private long countAll(DatasetPartition partition) throws StorageException {
    return request.index().isEmpty()
        ? partition.count(request.range(), request.filter())
        : partition.countBy(request.index(), request.search(), request.filter());
  }

  /** Reads no further than the limit. */
  private long countFirst(DatasetPartition partition) throws StorageException {
    long count = 0;
    try (RecordCursor cursor = open(partition)) {
      while (count < request.limit() && cursor.next()) {
        count++;
      }
    }
    return count;
  }

  /** A point read: asks the filters, and waits while a writer holds the record. */
  private void sendOne(DatasetPartition partition, RecordTuples.Writer output)
      throws HyracksDataException, StorageException {
    KeyValue found = new KeyValue();
    Slice key = request.range().low().key();
    if (partition.get(key, found)) {
      output.write(key, found.value());
    }
  }

  @MustBeClosed
  private RecordCursor open(DatasetPartition partition) throws StorageException {
    return request.index().isEmpty()
        ? partition.scan(request.range(), request.filter())
        : partition.search(request.index(), request.search(), request.filter());
  }
}
