package dev.varve.scheduler.service;

import dev.varve.common.error.StorageException;
import java.util.ArrayList;
import java.util.List;

/** Notes what a service tells. Confined. */
final class ListenerLog implements MaintenanceListener {
  private final List<String> lines = new ArrayList<>();

  List<String> lines() {
    return lines;
  }

  @Override
  public void finished(TaskReport task) {
    lines.add("finished " + task.description() + " " + task.writtenBytes());
  }

  @Override
  public void failed(TaskReport task, StorageException cause) {
    lines.add("failed " + task.description() + ": " + cause.getMessage());
  }

  @Override
  public void poisoned(Throwable cause) {
    lines.add("poisoned: " + cause.getMessage());
  }
}
