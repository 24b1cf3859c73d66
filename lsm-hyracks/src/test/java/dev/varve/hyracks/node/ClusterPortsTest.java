package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.dataset.model.Key;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.feed.TestRecords;
import dev.varve.hyracks.operator.WriteMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a running cluster listens on loopback only, and what another program sends to its ports
 * neither runs nor stops anything. Method: the sockets as Linux lists them; messages of every kind
 * that Hyracks' protocol knows, to every port; jobs afterwards.
 */
final class ClusterPortsTest {
  private static final DatasetOptions OPTIONS =
      DatasetOptions.of("records", "id").withIndexes(List.of(IndexDefinition.on("name")));

  @TempDir private Path directory;

  /** A socket that this process listens on. */
  private record Listener(String address, int port) {
    boolean loopback() {
      // 127.0.0.1, ::1 and ::ffff:127.0.0.1 in the order of bytes that Linux writes.
      return address.equals("0100007F")
          || address.equals("00000000000000000000000001000000")
          || address.equals("0000000000000000FFFF00000100007F");
    }
  }

  @Test
  void listensOnLoopbackAndTakesNothingFromStrangers() throws Exception {
    Set<Integer> before = new TreeSet<>();
    listeners().forEach(listener -> before.add(listener.port()));
    try (Cluster cluster = Cluster.start(ClusterOptions.of(directory, new ClusterShape(2, 2)))) {
      cluster.createOrOpenDataset(OPTIONS);
      assertEquals(1000, ingest(cluster, 0, 1000));
      List<Listener> ours = new ArrayList<>(listeners());
      ours.removeIf(listener -> before.contains(listener.port()));
      assertTrue(ours.size() >= 8, ours.toString());
      assertTrue(ours.stream().allMatch(Listener::loopback), ours.toString());
      long run = HostileMessages.RUN.get();
      for (Listener listener : ours) {
        for (byte[] message : messages()) {
          send(listener.port(), message);
        }
      }
      assertEquals(1000, ingest(cluster, 1000, 1000));
      assertTrue(cluster.get("records", Key.of(1999L)).isPresent());
      assertEquals(List.of(), cluster.verify("records"));
      assertEquals(run, HostileMessages.RUN.get(), "code of a message ran");
      assertEquals(List.of(), hashing(), "threads that hash a message");
    }
  }

  private static long ingest(Cluster cluster, long from, long records) throws Exception {
    IngestRequest request =
        new IngestRequest("records", TestRecords.range(from, records), WriteMode.INSERT, 2);
    try (Ingestion feed = cluster.ingest(request)) {
      return feed.result().stored();
    }
  }

  private static List<String> hashing() {
    List<String> found = new ArrayList<>();
    Thread.getAllStackTraces()
        .forEach(
            (thread, stack) -> {
              for (StackTraceElement frame : stack) {
                if (frame.getClassName().equals("java.util.AbstractSet")) {
                  found.add(thread.getName());
                  return;
                }
              }
            });
    return found;
  }

  /** Each payload in a message of each kind, bare and behind the byte that names a function. */
  private static List<byte[]> messages() throws IOException {
    List<byte[]> messages = new ArrayList<>();
    for (Object value :
        List.of(
            HostileMessages.nestedSets(27),
            HostileMessages.nestedLists(40),
            new HostileMessages.Gadget())) {
      byte[] payload = HostileMessages.serialized(value);
      for (byte flag = 0; flag < 4; flag++) {
        messages.add(message(flag, payload));
        byte[] behindFunction = new byte[payload.length + 1];
        System.arraycopy(payload, 0, behindFunction, 1, payload.length);
        messages.add(message(flag, behindFunction));
      }
    }
    return messages;
  }

  /** Length, id, the id that it answers, kind, payload. */
  private static byte[] message(byte flag, byte[] payload) {
    ByteBuffer message = ByteBuffer.allocate(21 + payload.length);
    message.putInt(17 + payload.length).putLong(1).putLong(-1).put(flag).put(payload);
    return message.array();
  }

  /** Sends a message and waits until the other side has read it, answered or hung up. */
  private static void send(int port, byte[] message) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(20);
      socket.getOutputStream().write(message);
      socket.getOutputStream().flush();
      int answer = socket.getInputStream().read();
      assert answer >= -1;
    } catch (IOException refused) {
      // No answer in time, or a connection that was reset: both are as good as an answer.
      assert refused != null;
    }
  }

  /** This process's listening sockets; none where the system does not list them as Linux does. */
  private static List<Listener> listeners() throws IOException {
    Set<String> own = new TreeSet<>();
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      for (Path descriptor : open.toList()) {
        try {
          own.add(Files.readSymbolicLink(descriptor).toString());
        } catch (IOException closedMeanwhile) {
          assert closedMeanwhile != null;
        }
      }
    }
    List<Listener> listeners = new ArrayList<>();
    for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] fields = line.trim().split("\\s+");
        if (fields.length > 9
            && fields[3].equals("0A")
            && own.contains("socket:[" + fields[9] + "]")) {
          String[] local = fields[1].split(":");
          listeners.add(new Listener(local[0], Integer.parseInt(local[1], 16)));
        }
      }
    }
    return listeners;
  }
}
