package dev.varve.dataset;

import dev.varve.common.env.Worker;

/**
 * What the engine does beside flushes and merges, on one thread: it keeps the log short, and looks
 * after the space of datasets that nobody writes to. One thread at a time.
 */
final class Housekeeper implements Worker {
  private final Checkpointer log;
  private final SpaceReclaimer space;

  Housekeeper(Checkpointer log, SpaceReclaimer space) {
    this.log = log;
    this.space = space;
  }

  @Override
  public String name() {
    return log.name();
  }

  @Override
  public int doWork() {
    space.look();
    return log.doWork();
  }

  @Override
  public long napNanos() {
    return space.nanosToNextLook();
  }

  @Override
  public void failed(Throwable cause) {
    log.failed(cause);
  }
}
