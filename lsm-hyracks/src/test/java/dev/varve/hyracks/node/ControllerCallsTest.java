package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import org.apache.hyracks.ipc.api.IIPCHandle;
import org.apache.hyracks.ipc.api.IIPCI;
import org.apache.hyracks.ipc.impl.IPCSystem;
import org.apache.hyracks.ipc.impl.JavaSerializationBasedPayloadSerializerDeserializer;
import org.apache.hyracks.ipc.sockets.PlainSocketChannelFactory;
import org.junit.jupiter.api.Test;

/**
 * Goal: nobody waits for ever for a controller that takes calls and never answers, as one does that
 * has failed inside. Method: a listener that drops what it is sent.
 */
class ControllerCallsTest {
  private static final long LONGEST_MILLIS = 600;

  private static final class Silence implements IIPCI {
    @Override
    public void deliverIncomingMessage(IIPCHandle handle, long message, long asked, Object what) {}

    @Override
    public void onError(IIPCHandle handle, long message, long asked, Exception failure) {}
  }

  @Test
  void aControllerThatNeverAnswersIsGivenUp() throws Exception {
    IPCSystem silent =
        new IPCSystem(
            new InetSocketAddress(EmbeddedCluster.loopback(), 0),
            PlainSocketChannelFactory.INSTANCE,
            new Silence(),
            new JavaSerializationBasedPayloadSerializerDeserializer());
    silent.start();
    try (JobClient client = JobClient.connect(silent.getSocketAddress(), LONGEST_MILLIS)) {
      JobFailedException failed = assertThrows(JobFailedException.class, client::nodes);
      assertTrue(
          String.valueOf(failed.getMessage()).contains("no answer of the cluster controller"),
          failed::getMessage);
    } finally {
      silent.stop();
    }
  }
}
