package dev.varve.common.index;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One component after the other of those that share no key, each opened when the one before has
 * come to its end: a search holds pages of one of them at a time. Confined to one thread.
 */
final class RunCursor<Q> implements EntryCursor {
  /** How a component is read. */
  @FunctionalInterface
  interface Opening<Q> {
    @MustBeClosed
    EntryCursor open(DiskComponent<Q> component) throws StorageException;
  }

  private final List<DiskComponent<Q>> components;
  private final Opening<Q> opening;
  private final int step;
  private int next;
  private @Nullable EntryCursor open;
  private final Entry entry = new Entry();

  private RunCursor(List<DiskComponent<Q>> components, Opening<Q> opening, int first, int step) {
    this.components = components;
    this.opening = opening;
    this.next = first;
    this.step = step;
  }

  /** From the first component to the last. */
  @MustBeClosed
  static <Q> EntryCursor ascending(List<DiskComponent<Q>> components, Opening<Q> opening) {
    return new RunCursor<>(components, opening, 0, 1);
  }

  /** From the last component to the first. */
  @MustBeClosed
  static <Q> EntryCursor descending(List<DiskComponent<Q>> components, Opening<Q> opening) {
    return new RunCursor<>(components, opening, components.size() - 1, -1);
  }

  /** Adds a cursor over components that share no key, ascending by key, where there are any. */
  @SuppressWarnings("MustBeClosedChecker") // closed by who closes the cursors
  static <Q> void add(
      List<DiskComponent<Q>> run, Opening<Q> opening, boolean descending, List<EntryCursor> cursors)
      throws StorageException {
    if (run.size() == 1) {
      cursors.add(opening.open(run.get(0)));
    } else if (!run.isEmpty()) {
      cursors.add(descending ? descending(run, opening) : ascending(run, opening));
    }
  }

  @Override
  public boolean next() throws StorageException {
    EntryCursor current = open == null ? following() : open;
    while (current != null && !current.next()) {
      current = following();
    }
    if (current == null) {
      return false;
    }
    entry.view(current.entry());
    return true;
  }

  /**
   * Closes the component that is read, and opens the next one; null at the end. Who moves what is
   * opened, instead of this cursor, has no entry copied.
   */
  @SuppressWarnings("MustBeClosedChecker") // closed at its end, or with this cursor
  @Nullable EntryCursor following() throws StorageException {
    if (open != null) {
      open.close();
      open = null;
    }
    while (open == null && next >= 0 && next < components.size()) {
      DiskComponent<Q> component = components.get(next);
      next += step;
      if (component.hasEntries()) {
        open = opening.open(component);
      }
    }
    return open;
  }

  @Override
  public Entry entry() {
    return entry;
  }

  @Override
  public void close() {
    next = -1;
    if (open != null) {
      open.close();
      open = null;
    }
  }
}
