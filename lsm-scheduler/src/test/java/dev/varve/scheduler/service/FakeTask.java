package dev.varve.scheduler.service;

import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A task that writes as many bytes as it is made for, and notes what happens to it. Confined. */
final class FakeTask implements MaintenanceTask {
  /** What a step may throw at its end. */
  interface Failure {
    void strike() throws StorageException;
  }

  private final Kind kind;
  private final String name;
  private final long bytes;
  private final List<String> trace;
  private Failure failure = () -> {};
  private Runnable atEnd = () -> {};
  private @Nullable Runnable inStep;
  private String index = "";
  private Depth depth = Depth.DEEPER;
  private long written;
  private boolean ended;
  private int cancels;

  /**
   * Makes a task.
   *
   * @param trace gets a line for each step
   */
  FakeTask(Kind kind, String name, long bytes, List<String> trace) {
    this.kind = kind;
    this.name = name;
    this.bytes = bytes;
    this.trace = trace;
  }

  static FakeTask flush(String name, long bytes, List<String> trace) {
    return new FakeTask(Kind.FLUSH, name, bytes, trace);
  }

  static FakeTask merge(String name, long bytes, List<String> trace) {
    return new FakeTask(Kind.MERGE, name, bytes, trace);
  }

  static FakeTask merge(String name, long bytes) {
    return merge(name, bytes, new ArrayList<>());
  }

  /** The next step writes nothing and throws. */
  FakeTask failing(Failure how) {
    this.failure = how;
    return this;
  }

  FakeTask atEnd(Runnable action) {
    this.atEnd = action;
    return this;
  }

  /** Runs once, in the middle of the next step. */
  FakeTask inNextStep(Runnable action) {
    this.inStep = action;
    return this;
  }

  /** Says which index the task works on. */
  FakeTask of(String name) {
    this.index = name;
    return this;
  }

  /** Makes it a merge of level 0. */
  FakeTask ofLevelZero() {
    this.depth = Depth.LEVEL_ZERO;
    return this;
  }

  @Override
  public Depth depth() {
    return depth;
  }

  @Override
  public String index() {
    return index;
  }

  long written() {
    return written;
  }

  int cancels() {
    return cancels;
  }

  @Override
  public Kind kind() {
    return kind;
  }

  @Override
  public String describe() {
    return name;
  }

  @Override
  public long remainingInputBytes() {
    return bytes - written;
  }

  @Override
  public long step(long maxBytes) throws StorageException {
    if (ended) {
      throw new AssertionError(name + " is stepped after its end");
    }
    trace.add(name);
    Runnable action = inStep;
    if (action != null) {
      inStep = null;
      action.run();
    }
    try {
      failure.strike();
    } catch (StorageException e) {
      ended = true;
      throw e;
    }
    long step = Math.min(maxBytes, bytes - written);
    written += step;
    if (written == bytes) {
      ended = true;
      atEnd.run();
    }
    return step;
  }

  @Override
  public boolean done() {
    return ended;
  }

  @Override
  public void cancel() {
    cancels++;
    ended = true;
  }
}
