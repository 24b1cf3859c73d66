package dev.varve.hyracks.node;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.operator.DatasetJobs;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.Map;
import java.util.function.Function;
import org.apache.hyracks.api.client.NodeControllerInfo;
import org.apache.hyracks.api.client.impl.JobSpecificationActivityClusterGraphGeneratorFactory;
import org.apache.hyracks.api.context.IHyracksCommonContext;
import org.apache.hyracks.api.io.IIOManager;
import org.apache.hyracks.api.job.JobFlag;
import org.apache.hyracks.api.job.JobId;
import org.apache.hyracks.api.job.JobSpecification;
import org.apache.hyracks.api.result.ResultSetId;
import org.apache.hyracks.api.util.JavaSerializationUtils;
import org.apache.hyracks.client.net.ClientNetworkManager;
import org.apache.hyracks.client.result.ResultDirectoryRemoteProxy;
import org.apache.hyracks.client.result.ResultSetReader;
import org.apache.hyracks.control.nc.resources.memory.FrameManager;
import org.apache.hyracks.ipc.api.IIPCHandle;
import org.apache.hyracks.ipc.api.RPCInterface;
import org.apache.hyracks.ipc.exceptions.IPCException;
import org.apache.hyracks.ipc.impl.HyracksClientInterfaceRemoteProxy;
import org.apache.hyracks.ipc.impl.IPCSystem;
import org.apache.hyracks.ipc.impl.JavaSerializationBasedPayloadSerializerDeserializer;
import org.apache.hyracks.ipc.sockets.PlainSocketChannelFactory;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Sends jobs to a cluster and reads their results. Built from the public pieces beneath Hyracks'
 * own connection, because that one can't be closed, keeps the JVM alive and listens on every
 * address. Thread-safe.
 */
final class JobClient implements AutoCloseable {
  private static final class ReadContext extends FrameManager implements IHyracksCommonContext {
    ReadContext(int frameBytes) {
      super(frameBytes);
    }

    @Override
    public @Nullable IIOManager getIoManager() {
      return null;
    }
  }

  private static final Logger LOGGER = LogManager.getLogger();

  private final IPCSystem ipc;
  private final HyracksClientInterfaceRemoteProxy controller;
  private final ResultDirectoryRemoteProxy results;
  private final ClientNetworkManager network;

  private JobClient(
      IPCSystem ipc, RPCInterface calls, IIPCHandle handle, ClientNetworkManager network) {
    this.ipc = ipc;
    this.controller = new HyracksClientInterfaceRemoteProxy(handle, calls);
    this.results = new ResultDirectoryRemoteProxy(handle, calls);
    this.network = network;
  }

  /** Connects to a cluster controller, and waits for jobs as long as they take. */
  @MustBeClosed
  static JobClient connect(InetSocketAddress address) throws JobFailedException {
    return connect(address, ControllerCalls.UNLIMITED);
  }

  /**
   * Connects to a cluster controller.
   *
   * @param longestMillis how long a call, the end of a job included, is waited for
   */
  @MustBeClosed
  static JobClient connect(InetSocketAddress address, long longestMillis)
      throws JobFailedException {
    ControllerCalls calls = new ControllerCalls(address, longestMillis);
    SerializationGuard.install();
    IPCSystem ipc = null;
    try {
      ipc =
          new IPCSystem(
              new InetSocketAddress(address.getAddress(), 0),
              PlainSocketChannelFactory.INSTANCE,
              calls,
              new JavaSerializationBasedPayloadSerializerDeserializer());
      ipc.start();
      IIPCHandle handle = calls.connect(ipc);
      ClientNetworkManager network =
          new ClientNetworkManager(1, PlainSocketChannelFactory.INSTANCE);
      network.start();
      return new JobClient(ipc, calls, handle, network);
    } catch (IOException | IPCException failure) {
      if (ipc != null) {
        ipc.stop();
      }
      throw new JobFailedException("no connection to " + address, failure);
    }
  }

  /** Starts a job and returns at once. */
  JobId start(JobSpecification job) throws StorageException, JobFailedException {
    return ErrorTranslator.call(
        "the job could not be started",
        () -> {
          byte[] bytes =
              JavaSerializationUtils.serialize(
                  new JobSpecificationActivityClusterGraphGeneratorFactory(job));
          return controller.startJob(bytes, EnumSet.noneOf(JobFlag.class));
        });
  }

  /** Waits for a job's end; throws what it failed with. */
  void await(JobId job) throws StorageException, JobFailedException {
    ErrorTranslator.call(
        "job " + job + " failed",
        () -> {
          controller.waitForCompletion(job);
          return true;
        });
  }

  /** Starts a job and waits for its end. */
  JobId run(JobSpecification job) throws StorageException, JobFailedException {
    JobId id = start(job);
    await(id);
    return id;
  }

  /** Asks for a job to be cancelled; it ends as failed, unless it has ended before. */
  void cancel(JobId job) throws StorageException, JobFailedException {
    ErrorTranslator.call(
        "job " + job + " could not be cancelled",
        () -> {
          controller.cancelJob(job);
          return true;
        });
  }

  /** Addresses of the nodes that are registered, by their names. */
  Map<String, NodeControllerInfo> nodes() throws StorageException, JobFailedException {
    return ErrorTranslator.call(
        "the controller could not be asked for its nodes", controller::getNodeControllersInfo);
  }

  /** Reads what a job that has ended left in a result set. */
  ResultFrames results(JobId job, ResultSetId set, int frameBytes)
      throws StorageException, JobFailedException {
    IHyracksCommonContext context = new ReadContext(frameBytes);
    return ErrorTranslator.call(
        "the result of job " + job + " could not be read",
        () -> new ResultFrames(new ResultSetReader(results, network, context, job, set), context));
  }

  /**
   * Starts a job and reads its result while it runs.
   *
   * @param discard the job that gives up what an ended one has left on the nodes
   * @throws StorageException what the job failed with before it left anything
   */
  ResultFrames stream(JobSpecification job, Function<JobId, JobSpecification> discard)
      throws StorageException, JobFailedException {
    // A connection of its own: when it is closed, the nodes stop to send.
    ClientNetworkManager own = new ClientNetworkManager(1, PlainSocketChannelFactory.INSTANCE);
    JobId id =
        ErrorTranslator.call(
            "no connection for results",
            () -> {
              own.start();
              return start(job);
            });
    IHyracksCommonContext context = new ReadContext(job.getFrameSize());
    ResultFrames frames = null;
    try {
      frames =
          ErrorTranslator.call(
              "the result of job " + id + " could not be read",
              () ->
                  new ResultFrames(
                      new ResultSetReader(results, own, context, id, DatasetJobs.RESULT),
                      context,
                      new RunningJob(id, own, discard)));
      frames.readAhead();
      return frames;
    } catch (StorageException | JobFailedException failure) {
      if (frames != null) {
        frames.close();
      }
      throw failure;
    }
  }

  /** The job behind a result that is read while it runs. */
  final class RunningJob {
    private final JobId job;
    private final ClientNetworkManager network;
    private final Function<JobId, JobSpecification> discard;

    private RunningJob(
        JobId job, ClientNetworkManager network, Function<JobId, JobSpecification> discard) {
      this.job = job;
      this.network = network;
      this.discard = discard;
    }

    /** Waits for its end, and throws what it failed with. */
    void awaitEnd() throws StorageException, JobFailedException {
      await(job);
    }

    /**
     * Lets nobody read any further.
     *
     * @param readToItsEnd whether all was read, so that nothing is left to be given up
     */
    void close(boolean readToItsEnd) {
      network.stop();
      if (readToItsEnd) {
        return;
      }
      try {
        cancel(job);
        await(job);
      } catch (StorageException | JobFailedException cancelled) {
        LOGGER.debug("job {} ended as it was to", job, cancelled);
      }
      try {
        run(discard.apply(job));
      } catch (StorageException | JobFailedException kept) {
        LOGGER.warn("what job {} has left stays until the nodes sweep it", job, kept);
      }
    }
  }

  /** Closes the connection; idempotent. */
  @Override
  public void close() {
    ipc.stop();
    network.stop();
  }
}
