package dev.varve.scheduler.service;

import dev.varve.common.env.Clock;
import dev.varve.common.env.TaskExecutor;
import dev.varve.scheduler.budget.IoBudget;

/**
 * What a maintenance service works with; none of it is its own.
 *
 * @param clock time for the budget and for reports
 * @param executor runs the workers
 * @param budget shared by all services that write to the same device
 * @param listener told about every task that ends
 */
public record MaintenanceContext(
    Clock clock, TaskExecutor executor, IoBudget budget, MaintenanceListener listener) {}
