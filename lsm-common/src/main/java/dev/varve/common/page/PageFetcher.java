package dev.varve.common.page;

import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Threads that read pages into the cache which lookups of many keys are about to ask for, so that a
 * device has several reads at once to do. They are started with the first such lookup. Each wakes
 * the next one, so that the one who looks up wakes one, and few pages wake few. Nobody waits for
 * them: a page that they have not read is read by the one who asks for it. Thread-safe.
 */
final class PageFetcher implements TaskExecutor.Handle {
  /** A device that is asked for one page after the other is idle most of the time. */
  private static final int READERS = 8;

  /** Most fetches that are under way; further ones are left to those who want them. */
  private static final int MOST_WAITING = 32;

  private final TaskExecutor executor;
  private final Queue<PageFetch> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean started = new AtomicBoolean();
  private final AtomicReferenceArray<TaskExecutor.@Nullable Handle> running =
      new AtomicReferenceArray<>(READERS);
  private volatile boolean closed;

  PageFetcher(TaskExecutor executor) {
    this.executor = executor;
  }

  /**
   * Begins to read pages.
   *
   * @param pages ascending, more than one; not copied
   * @return null when it is left to the caller
   */
  @Nullable PageFetch begin(PageFetch.Source source, int[] pages) {
    if (closed || waiting.size() >= MOST_WAITING) {
      return null;
    }
    if (started.compareAndSet(false, true)) {
      for (int reader = 0; reader < READERS; reader++) {
        running.set(reader, executor.start(new Reader(reader)));
      }
      if (closed) {
        close();
        return null;
      }
    }
    PageFetch fetch = new PageFetch(source, pages, waiting);
    waiting.add(fetch);
    wake(0);
    return fetch;
  }

  @Override
  public void wake() {
    wake(0);
  }

  private void wake(int reader) {
    TaskExecutor.Handle handle = reader < READERS ? running.get(reader) : null;
    if (handle != null) {
      handle.wake();
    }
  }

  @Override
  public void close() {
    closed = true;
    for (int reader = 0; reader < READERS; reader++) {
      TaskExecutor.Handle handle = running.get(reader);
      if (handle != null) {
        handle.close();
      }
    }
  }

  /** One of the threads. */
  private final class Reader implements Worker {
    private final int number;

    /** The fetch that it has waked the next one for. */
    private @Nullable PageFetch known;

    Reader(int number) {
      this.number = number;
    }

    @Override
    public String name() {
      return "varve-read-" + number;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // a fetch is nothing but itself
    public int doWork() {
      PageFetch fetch = waiting.peek();
      if (fetch == null) {
        known = null;
        return 0;
      }
      if (fetch != known) {
        known = fetch;
        wake(number + 1);
      }
      if (!fetch.readOne()) {
        waiting.remove(fetch);
      }
      return 1;
    }

    @Override
    public void failed(Throwable cause) {
      // Who wants pages reads them itself, and finds out what is wrong.
      closed = true;
    }
  }
}
