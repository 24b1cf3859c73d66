package dev.varve.hyracks.adapter;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.IResourceLifecycleManager;
import org.jspecify.annotations.Nullable;

/**
 * Which indexes are in use on this node, and by how many operators. Every index of the node's list
 * is registered when the node starts, before any job can touch it: to a stock create operator an
 * index that isn't registered doesn't exist, and it would build a second one over it. Thread-safe.
 */
final class IndexRegistry implements IResourceLifecycleManager<IIndex> {
  private static final class Registered {
    final IIndex index;
    int users;
    boolean active;

    Registered(IIndex index) {
      this.index = index;
    }
  }

  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Map<String, Registered> indexes = new HashMap<>();

  @Override
  public List<IIndex> getOpenResources() {
    lock.lock();
    try {
      return indexes.values().stream().filter(known -> known.active).map(k -> k.index).toList();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void register(String path, IIndex index) throws HyracksDataException {
    if (!add(path, index)) {
      throw HyracksDataException.create(ErrorCode.CANNOT_CREATE_EXISTING_INDEX);
    }
  }

  /** Registers an index; false when there is one at the path. */
  boolean add(String path, IIndex index) {
    lock.lock();
    try {
      return indexes.putIfAbsent(path, new Registered(index)) == null;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void open(String path) throws HyracksDataException {
    lock.lock();
    try {
      Registered known = existing(path);
      if (!known.active) {
        known.index.activate();
        known.active = true;
      }
      known.users++;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close(String path) throws HyracksDataException {
    lock.lock();
    try {
      existing(path).users--;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public @Nullable IIndex get(String path) {
    lock.lock();
    try {
      Registered known = indexes.get(path);
      return known == null ? null : known.index;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void unregister(String path) throws HyracksDataException {
    lock.lock();
    try {
      Registered known = existing(path);
      if (known.users > 0) {
        throw HyracksDataException.create(ErrorCode.CANNOT_DROP_IN_USE_INDEX, path);
      }
      if (known.active) {
        known.index.deactivate();
      }
      indexes.remove(path);
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private Registered existing(String path) throws HyracksDataException {
    Registered known = indexes.get(path);
    if (known == null) {
      throw HyracksDataException.create(ErrorCode.INDEX_DOES_NOT_EXIST);
    }
    return known;
  }
}
