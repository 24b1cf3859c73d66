package dev.varve.common.index;

import dev.varve.common.component.ComponentState;
import dev.varve.common.disk.ComponentStore;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.disk.DiskComponents.Membership;
import dev.varve.common.error.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Replaces the disk components of an index, first in its directory and then for its readers, one
 * replacement after the other. Thread-safe; its lock is held while a manifest is forced, so it is
 * not the one under which writers seal.
 */
final class DiskPublisher<Q> {
  private final LsmIndex<Q> index;
  private final ComponentStore<Q> store;
  private final ReentrantLock lock = new ReentrantLock();

  DiskPublisher(LsmIndex<Q> index, ComponentStore<Q> store) {
    this.index = index;
    this.store = store;
  }

  /**
   * Publishes a change.
   *
   * @param fresh components that were not there before; when this throws they stay the caller's
   * @param memory called under the index's lock once the change is durable; gives the memory
   *     components from then on
   */
  void publish(
      List<DiskComponent<Q>> fresh,
      UnaryOperator<DiskComponents<Q>> change,
      Supplier<List<MemoryComponent<Q>>> memory)
      throws StorageException {
    lock.lock();
    try {
      DiskComponents<Q> before = index.components().disk();
      if (before.membership() == Membership.MANIFEST) {
        store.findRanges(fresh);
      }
      DiskComponents<Q> after = change.apply(before);
      if (index.merges().goesUnderManifest(after)) {
        store.findRanges(after.flushed());
        after = after.underManifest();
      }
      store.keep(after, index.merges().rounds());
      List<DiskComponent<Q>> without = new ArrayList<>(before.flushed());
      without.addAll(fresh);
      without.removeAll(after.flushed());
      without.removeIf(each -> each.hasEntries() || each.state() != ComponentState.ACTIVE);
      index.install(
          () -> {
            index.merges().componentsChange();
            return memory.get();
          },
          after);
      // Under a manifest a component without entries does not count.
      without.forEach(DiskComponent::giveUp);
    } finally {
      index.merges().publicationEnded();
      lock.unlock();
    }
  }
}
