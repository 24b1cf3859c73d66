package dev.varve.hyracks.node;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.ipc.api.IIPCHandle;
import org.apache.hyracks.ipc.api.RPCInterface;
import org.apache.hyracks.ipc.exceptions.IPCException;
import org.apache.hyracks.ipc.impl.IPCSystem;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Calls to a cluster controller and their answers. A call ends with an exception when the
 * connection that it was sent by is lost, where Hyracks' own would wait for ever, or when there is
 * no answer in the time that it may take; the next call connects again. Thread-safe.
 */
final class ControllerCalls extends RPCInterface {
  private static final Logger LOGGER = LogManager.getLogger();
  private static final long LOOK_MILLIS = 200;

  /** As long as it takes: a job may take days. */
  static final long UNLIMITED = Long.MAX_VALUE;

  private final InetSocketAddress controller;
  private final long longestMillis;
  private final Map<Long, CompletableFuture<Object>> pending = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private @Nullable IIPCHandle connection;

  @GuardedBy("lock")
  private @Nullable IPCSystem ipc;

  /**
   * Calls to a controller.
   *
   * @param longestMillis how long a call may take
   */
  ControllerCalls(InetSocketAddress controller, long longestMillis) {
    assert longestMillis > 0 : longestMillis;
    this.controller = controller;
    this.longestMillis = longestMillis;
  }

  /** Connects by a system that was made with these calls. */
  IIPCHandle connect(IPCSystem system) throws IPCException {
    lock.lock();
    try {
      ipc = system;
      return connected();
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private IIPCHandle connected() throws IPCException {
    IPCSystem system = ipc;
    if (system == null) {
      throw new IllegalStateException("nothing is sent before connect()");
    }
    IIPCHandle open = connection;
    if (open == null || !open.isConnected()) {
      open = system.getHandle(controller, 0);
      connection = open;
    }
    return open;
  }

  /** Sends a request, by the connection there is now, and waits for the answer. */
  @Override
  public Object call(IIPCHandle first, Object request)
      throws HyracksDataException, IPCException, InterruptedException {
    CompletableFuture<Object> answer = new CompletableFuture<>();
    IIPCHandle used;
    long id;
    lock.lock();
    try {
      used = connected();
      id = used.send(-1, request, null);
      pending.put(id, answer);
    } finally {
      lock.unlock();
    }
    try {
      return await(answer, used);
    } finally {
      pending.remove(id);
    }
  }

  private Object await(CompletableFuture<Object> answer, IIPCHandle used)
      throws HyracksDataException, IPCException, InterruptedException {
    long looks = 0;
    while (true) {
      boolean connected = used.isConnected();
      try {
        return answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException late) {
        if (!connected) {
          throw new IPCException("the connection to the cluster controller was lost", late);
        }
        looks++;
        if (looks > longestMillis / LOOK_MILLIS) {
          throw new IPCException(
              "no answer of the cluster controller within " + longestMillis + " ms", late);
        }
      } catch (ExecutionException failed) {
        throw HyracksDataException.create(failed.getCause());
      }
    }
  }

  @Override
  public void deliverIncomingMessage(
      IIPCHandle handle, long messageId, long asked, Object payload) {
    CompletableFuture<Object> answer = pending(asked);
    if (answer == null) {
      LOGGER.warn("an answer from {} to no question of this client", handle);
    } else {
      answer.complete(payload);
    }
  }

  @Override
  public void onError(IIPCHandle handle, long messageId, long asked, Exception exception) {
    CompletableFuture<Object> answer = pending(asked);
    if (answer == null) {
      LOGGER.warn("a failure from {} of no question of this client", handle, exception);
    } else {
      answer.completeExceptionally(exception);
    }
  }

  /** Who waits for an answer, which may come before its caller has gone to wait for it. */
  private @Nullable CompletableFuture<Object> pending(long asked) {
    lock.lock();
    try {
      return pending.get(asked);
    } finally {
      lock.unlock();
    }
  }
}
