package dev.varve.dataset;

import dev.varve.common.error.StorageException;
import dev.varve.common.merge.MergePolicy;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.scheduler.admission.Waiting;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.service.MaintenanceService;
import dev.varve.scheduler.service.TaskReport;
import dev.varve.scheduler.watch.Sample;
import dev.varve.scheduler.watch.WaitChain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Looks at who waits for what in an engine that runs. Thread-safe. */
final class WaitReports {
  private static final double NANOS_PER_SECOND = 1e9;

  private final Path directory;
  private final NodeContext node;
  private final MaintenanceService maintenance;
  private final IoBudget budget;
  private final ActiveDatasets active;
  private volatile @Nullable NodeTuner tuner;

  WaitReports(
      Path directory,
      NodeContext node,
      MaintenanceService maintenance,
      IoBudget budget,
      ActiveDatasets active) {
    this.directory = directory;
    this.node = node;
    this.maintenance = maintenance;
    this.budget = budget;
    this.active = active;
  }

  /** From now on this tuner's decisions are told, too. */
  void connect(NodeTuner deciding) {
    tuner = deciding;
  }

  long nanoTime() {
    return node.clock().nanoTime();
  }

  /** The node as it is now. */
  Sample sample() {
    List<Waiting> waits = new ArrayList<>();
    for (ManagedDataset dataset : active.list()) {
      Waiting waiting = dataset.admission().waits();
      if (waiting != null) {
        waits.add(waiting);
      }
    }
    return new Sample(nanoTime(), waits, maintenance.stats());
  }

  /**
   * Describes a sample.
   *
   * @param before an earlier one, for how fast tasks are; null when there is none
   * @param broken rules that do not hold
   */
  WaitReport describe(@Nullable Sample before, Sample sample, List<String> broken) {
    NodeTuner deciding = tuner;
    List<WaitReport.Wait> waits = new ArrayList<>();
    for (Waiting waiting : sample.waits()) {
      waits.add(
          new WaitReport.Wait(
              waiting.dataset(),
              waiting.cause().name(),
              waiting.holder(),
              waiting.index(),
              waiting.writers(),
              waiting.nanos() / NANOS_PER_SECOND,
              WaitChain.holders(waiting, sample.stats().tasks()).stream()
                  .map(TaskReport::number)
                  .toList(),
              waiting.occupied()));
    }
    List<WaitReport.Components> indexes = new ArrayList<>();
    for (ManagedDataset dataset : active.list()) {
      dataset
          .writeBuffer()
          .flows()
          .forEach(
              flow ->
                  indexes.add(
                      new WaitReport.Components(
                          dataset.descriptor().options().name(),
                          flow.name(),
                          flow.level0Components(),
                          flow.level0Limit() == MergePolicy.UNLIMITED ? 0 : flow.level0Limit())));
    }
    return new WaitReport(
        WaitReport.RUNNING,
        node.clock().currentTimeMillis(),
        maintenance.scheduler().describe(),
        node.admission().gate().describe(),
        budget.bytesPerSecond(),
        waits,
        sample.stats().tasks().stream().map(task -> describe(before, sample, task)).toList(),
        indexes,
        transactions(),
        snapshots(),
        values(),
        deciding == null ? List.of() : deciding.lastDecisions(),
        broken);
  }

  /** The open transaction that holds the low-water mark back, as text; empty when none does. */
  String logHolder() {
    for (WaitReport.OpenTransaction first : transactions()) {
      long firstLsn = node.transactions().oldestFirstLsn();
      long redo = Long.MAX_VALUE;
      for (ManagedDataset dataset : active.list()) {
        redo = Math.min(redo, dataset.redoPosition());
      }
      return firstLsn <= redo ? first.toString() : "";
    }
    return "";
  }

  /** Open transactions, the one that keeps most of the log first. */
  List<WaitReport.OpenTransaction> transactions() {
    long end = node.log().endLsn();
    return node.openTransactions().list().stream()
        .map(
            held ->
                new WaitReport.OpenTransaction(
                    held.id(),
                    held.dataset(),
                    held.nanos() / NANOS_PER_SECOND,
                    Math.max(0, end - held.firstLsn())))
        .toList();
  }

  /** Where space of large values is given back, cannot be, or stays for snapshots, as text. */
  List<String> values() {
    return Reports.values(active.list());
  }

  private List<String> snapshots() {
    long bytes = node.snapshots().savedBytes();
    long values = Reports.keptValueBytes(active.list());
    String kept =
        "; all of them keep "
            + bytes
            + " bytes of older versions"
            + (values == 0 ? "" : ", and " + values + " bytes in files of large values");
    return node.snapshots().list().stream().map(open -> "snapshot " + open + kept).toList();
  }

  private static WaitReport.Task describe(@Nullable Sample before, Sample now, TaskReport task) {
    long sinceBytes = task.inputBytes();
    double seconds = task.runningNanos() / NANOS_PER_SECOND;
    if (before != null) {
      for (TaskReport earlier : before.stats().tasks()) {
        if (earlier.number() == task.number()) {
          sinceBytes = earlier.remainingInputBytes();
          seconds = (now.nanos() - before.nanos()) / NANOS_PER_SECOND;
        }
      }
    }
    long read = Math.max(0, sinceBytes - task.remainingInputBytes());
    return new WaitReport.Task(
        task.number(),
        task.kind().name(),
        task.state().name(),
        task.index(),
        task.description(),
        task.inputBytes(),
        task.remainingInputBytes(),
        seconds <= 0 ? 0 : Math.round(read / seconds));
  }

  /** Shows a sample to other processes. */
  void write(Sample before, Sample sample, List<String> broken) throws StorageException {
    String json = WaitReportFile.json(describe(before, sample, broken));
    WaitReportFile.in(node.indexes().files(), directory).write(json);
  }

  void deleteFile() throws StorageException {
    WaitReportFile.in(node.indexes().files(), directory).delete();
  }
}
