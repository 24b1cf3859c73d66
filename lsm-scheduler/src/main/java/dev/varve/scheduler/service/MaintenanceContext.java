package dev.varve.scheduler.service;

import dev.varve.common.env.Clock;
import dev.varve.common.env.TaskExecutor;
import dev.varve.scheduler.budget.DiskSpace;
import dev.varve.scheduler.budget.DiskSpaces;
import dev.varve.scheduler.budget.IoBudget;

/**
 * What a maintenance service works with; none of it is its own.
 *
 * @param clock time for the budget and for reports
 * @param executor runs the workers
 * @param budget its part of what all services that write to the same device share
 * @param listener told about every task that ends
 * @param spaces its doors to what the devices have left for the results of merges
 */
public record MaintenanceContext(
    Clock clock,
    TaskExecutor executor,
    IoBudget budget,
    MaintenanceListener listener,
    DiskSpaces spaces) {
  /** A context with a device that has space for everything. */
  public MaintenanceContext(
      Clock clock, TaskExecutor executor, IoBudget budget, MaintenanceListener listener) {
    this(clock, executor, budget, listener, DiskSpaces.of(DiskSpace.unlimited()));
  }
}
