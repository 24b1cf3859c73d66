package dev.varve.dataset.internal.partition;

import org.jspecify.annotations.Nullable;

/**
 * What a caller has left open, or calls under way, that keep an engine from closing. Immutable.
 *
 * @param description of what it is, where, since when and by which thread, for a message
 * @param opening where it was opened, if leaks are tracked
 */
public record LeftOpen(String description, @Nullable Throwable opening) {}
