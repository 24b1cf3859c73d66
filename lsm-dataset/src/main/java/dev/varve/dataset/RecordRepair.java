package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.dataset.internal.partition.MisplacedRecord;
import dev.varve.dataset.internal.partition.MisplacedRecords;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.kind.RecordReader;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.transaction.log.Durability;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One repair of the records of a group of engines; see {@link NodeGroup#repair}. Partition after
 * partition, batch after batch: first all records of a batch are where they belong, or among the
 * rejects, durably, and then they are deleted where they were. Used once, by one thread.
 */
final class RecordRepair {
  private final List<StorageEngine> engines;

  /** By the number of the node; those outside of the cluster too. */
  private final Map<Integer, StorageEngine> nodes = new TreeMap<>();

  /** Where records go that are in the way of none; null when nothing is changed. */
  private final @Nullable RejectsDirectory rejects;

  private final List<RejectedRecord> rejections = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private int datasets;
  private long misplaced;
  private long moved;
  private long same;
  private long rejected;
  private long left;

  RecordRepair(List<StorageEngine> engines, @Nullable RejectsDirectory rejects) {
    this.engines = engines;
    this.rejects = rejects;
    for (StorageEngine engine : engines) {
      nodes.put(engine.place().node(), engine);
    }
  }

  RepairReport run() throws StorageException {
    for (StorageEngine engine : engines) {
      for (Dataset dataset : engine.datasets()) {
        datasets++;
        for (Partition partition : dataset.managed.partitions()) {
          Source source = new Source(engine, dataset, partition);
          try {
            source.repair();
          } catch (CorruptionException | FormatVersionException damaged) {
            problem(source.name + " cannot be read on: " + damaged.getMessage());
          }
        }
      }
    }
    assert misplaced == moved + same + rejected + left;
    return new RepairReport(datasets, misplaced, moved, same, rejected, left, rejections, problems);
  }

  private void problem(String text) {
    if (problems.size() < RepairReport.MOST_LISTED) {
      problems.add(text);
    }
  }

  /** A partition, for people. */
  private String name(StorageEngine engine, int partition) {
    String name = "partition " + partition;
    return engine.place().equals(ClusterPlace.ALONE)
        ? name
        : name + " of node " + engine.place().node();
  }

  /** Where a record belongs. */
  private record Target(StorageEngine engine, Dataset dataset, int number) {
    Partition partition() {
      return dataset.managed.partitions().get(number);
    }
  }

  /** A partition whose misplaced records leave it. */
  private final class Source {
    private final StorageEngine engine;
    private final Dataset dataset;
    private final MisplacedRecords found;
    private final String name;
    private final RecordReader reader;

    Source(StorageEngine engine, Dataset dataset, Partition partition) {
      this.engine = engine;
      this.dataset = dataset;
      this.found = new MisplacedRecords(partition);
      this.name = name(engine, dataset.managed.partitions().indexOf(partition));
      this.reader = new RecordReader(dataset.options().schema(), RecordLimits.WIDEST);
    }

    void repair() throws StorageException {
      List<MisplacedRecord> batch = found.next();
      while (!batch.isEmpty()) {
        misplaced += batch.size();
        List<MisplacedRecord> settled = new ArrayList<>();
        try (Sessions sessions = new Sessions()) {
          for (MisplacedRecord record : batch) {
            if (settle(record, sessions)) {
              settled.add(record);
            }
          }
          sessions.makeDurable();
        }
        if (rejects != null) {
          rejects.force();
          found.remove(settled);
        }
        batch = found.next();
      }
    }

    /** Whether a record is where it belongs, or among the rejects, once that is durable. */
    private boolean settle(MisplacedRecord record, Sessions sessions) throws StorageException {
      Target target = target(record);
      if (target == null) {
        left++;
        return false;
      }
      try {
        return rejects == null ? foresee(record, target) : move(record, target, sessions);
      } catch (RequestException | LimitException refused) {
        left(record, "is refused where it belongs: " + refused.getMessage());
        left++;
        return false;
      }
    }

    private void left(MisplacedRecord record, String why) {
      problem(
          "record "
              + Key.ofSlice(record.key())
              + " of '"
              + dataset.options().name()
              + "' in "
              + name
              + " stays there: it "
              + why);
    }

    private @Nullable Target target(MisplacedRecord record) throws StorageException {
      try {
        reader.read(record.record());
      } catch (RequestException | LimitException unreadable) {
        left(record, "cannot be read: " + unreadable.getMessage());
        return null;
      }
      if (!reader.primaryKey().sameBytes(record.key())) {
        left(record, "says that its key is " + Key.ofSlice(reader.primaryKey()));
        return null;
      }
      int node = dataset.nodeOf(record.key());
      StorageEngine other = nodes.get(node);
      if (other == null) {
        left(record, "belongs to node " + node + ", which is not here");
        return null;
      }
      try {
        Dataset belongs = belongs(other);
        return new Target(other, belongs, belongs.partitionOf(Key.ofSlice(record.key())));
      } catch (ConflictException otherOptions) {
        left(record, "belongs to node " + node + ": " + otherOptions.getMessage());
        return null;
      }
    }

    /** The dataset on a node; where it is not and nothing is made, the one here stands for it. */
    private Dataset belongs(StorageEngine other) throws StorageException {
      boolean made = rejects != null || other.names().contains(dataset.options().name());
      return made ? other.openDataset(dataset.options()) : dataset;
    }

    /** What would become of a record. */
    private boolean foresee(MisplacedRecord record, Target target) throws StorageException {
      boolean stoodFor = target.dataset() == dataset && target.engine() != engine;
      Entry there = new Entry();
      boolean occupied = !stoodFor && target.partition().get(record.key(), there);
      if (!occupied) {
        moved++;
      } else {
        compare(record, there.value().toByteArray(), target);
      }
      return true;
    }

    private boolean move(MisplacedRecord record, Target target, Sessions sessions)
        throws StorageException {
      RecordSession session = sessions.to(target.partition());
      while (true) {
        try {
          session.insert(record.record());
          moved++;
          return true;
        } catch (ConflictException duplicate) {
          if (duplicate.reason() != ConflictException.Reason.DUPLICATE_KEY) {
            throw duplicate;
          }
        }
        // Unless it was deleted since.
        Optional<byte[]> there = session.get(Key.ofSlice(record.key()));
        if (there.isPresent()) {
          compare(record, there.get(), target);
          return true;
        }
      }
    }

    /** Two records of a key, of which the one at its place stays. */
    private void compare(MisplacedRecord record, byte[] there, Target target)
        throws StorageException {
      if (record.record().sameBytes(new Slice(there))) {
        same++;
        return;
      }
      rejected++;
      RejectedRecord both =
          new RejectedRecord(
              dataset.options().name(),
              Key.ofSlice(record.key()).toString(),
              name(target.engine(), target.number()),
              text(there),
              name,
              text(record.record().toByteArray()));
      if (rejections.size() < RepairReport.MOST_LISTED) {
        rejections.add(both.excerpt());
      }
      if (rejects != null) {
        rejects.add(both);
      }
    }

    private static String text(byte[] record) {
      return new String(record, StandardCharsets.UTF_8);
    }
  }

  /** Sessions in the partitions that the records of a batch belong to. */
  private static final class Sessions implements AutoCloseable {
    private final Map<Partition, RecordSession> open = new LinkedHashMap<>();

    @SuppressWarnings("MustBeClosedChecker") // closed by close
    RecordSession to(Partition partition) throws StorageException {
      RecordSession session = open.get(partition);
      if (session == null) {
        session = new RecordSession(List.of(partition), Durability.POWER_LOSS);
        open.put(partition, session);
      }
      return session;
    }

    void makeDurable() throws StorageException {
      for (Map.Entry<Partition, RecordSession> session : open.entrySet()) {
        session.getValue().force();
        session.getKey().flushUnlogged();
      }
    }

    /** Closes all of them, whichever fails. */
    @Override
    public void close() throws StorageException {
      if (open.isEmpty()) {
        return;
      }
      Partition next = open.keySet().iterator().next();
      try {
        open.remove(next).close();
      } finally {
        close();
      }
    }
  }
}
