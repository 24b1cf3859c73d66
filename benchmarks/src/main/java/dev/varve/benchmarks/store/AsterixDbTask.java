package dev.varve.benchmarks.store;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.apache.hyracks.api.context.IHyracksJobletContext;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.IIOManager;
import org.apache.hyracks.api.util.HyracksConstants;
import org.apache.hyracks.dataflow.std.buffermanager.DeallocatableFramePool;
import org.apache.hyracks.dataflow.std.buffermanager.FramePoolBackedFrameBufferManager;
import org.jspecify.annotations.Nullable;

/**
 * As much of a task as searches of Hyracks' inverted indexes ask for: frames, and files for results
 * that do not fit into them. Everything else throws. Confined to one thread.
 */
final class AsterixDbTask implements InvocationHandler {
  /** AsterixDB's default for the memory of a text search. */
  static final int SEARCH_BYTES = 32 << 20;

  private final IIOManager files;
  private final int frameBytes;
  private final Map<String, Object> shared = new HashMap<>();

  private AsterixDbTask(IIOManager files, int frameBytes) {
    this.files = files;
    this.frameBytes = frameBytes;
  }

  /** A context for searches. */
  static IHyracksTaskContext create(IIOManager files, int frameBytes) {
    AsterixDbTask task = new AsterixDbTask(files, frameBytes);
    IHyracksTaskContext context = task.as(IHyracksTaskContext.class);
    task.shared.put(
        HyracksConstants.INVERTED_INDEX_SEARCH_FRAME_MANAGER,
        new FramePoolBackedFrameBufferManager(new DeallocatableFramePool(context, SEARCH_BYTES)));
    return context;
  }

  private <T> T as(Class<T> type) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws HyracksDataException {
    return switch (method.getName()) {
      case "getInitialFrameSize" -> frameBytes;
      case "allocateFrame" ->
          ByteBuffer.allocate(arguments == null ? frameBytes : (Integer) arguments[0]);
      case "deallocateFrames" -> null;
      case "getIoManager" -> files;
      case "getJobletContext" -> as(IHyracksJobletContext.class);
      case "createManagedWorkspaceFile", "createUnmanagedWorkspaceFile" ->
          files.createWorkspaceFile(String.valueOf(arguments == null ? null : arguments[0]));
      case "getSharedObject" -> shared;
      default -> throw new UnsupportedOperationException(method.toString());
    };
  }
}
