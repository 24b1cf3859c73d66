package dev.varve.benchmarks.store;

/** One open store. Thread-safe; closed by whoever opened it, after its sessions. */
public interface Store extends AutoCloseable {
  /** Opens a session for one thread. */
  StoreSession openSession() throws StoreException;

  /** Writes out what is in memory, and waits until background work is quiet. */
  void settle() throws StoreException;

  /** What it can say about itself; cheap enough for once a second. */
  StoreFigures figures() throws StoreException;

  @Override
  void close() throws StoreException;
}
