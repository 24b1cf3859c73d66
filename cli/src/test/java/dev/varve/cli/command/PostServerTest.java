package dev.varve.cli.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.btree.KeyRange;
import dev.varve.common.error.DiskException;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.hyracks.feed.BytesSource;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterOptions;
import dev.varve.hyracks.node.ClusterShape;
import dev.varve.hyracks.node.IngestRequest;
import dev.varve.hyracks.operator.WriteMode;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what a client of the server is told is so: what was acknowledged is in the dataset, and
 * what was refused is not. Method: bodies of all kinds to a cluster in this process.
 */
@Timeout(120)
final class PostServerTest {
  private static final String DATASET = "records";

  @TempDir private Path directory;
  private final HttpClient client = HttpClient.newHttpClient();
  private Cluster cluster;
  private PostServer server;
  private InetSocketAddress address;

  @BeforeEach
  void start() throws Exception {
    cluster = Cluster.start(ClusterOptions.of(directory, new ClusterShape(2, 1)));
    cluster.createOrOpenDataset(DatasetOptions.of(DATASET, "id"));
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      address = new InetSocketAddress(free.getInetAddress(), free.getLocalPort());
    }
    server =
        PostServer.start(
            cluster, address, "csv", body -> new IngestRequest(DATASET, body, WriteMode.INSERT, 1));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    cluster.close();
  }

  private HttpResponse<String> send(String method, byte[] body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + address.getPort() + "/"))
            .method(method, HttpRequest.BodyPublishers.ofByteArray(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String body) throws Exception {
    return send("POST", body.getBytes(StandardCharsets.UTF_8));
  }

  private long stored() throws Exception {
    return cluster.countScan(DATASET, KeyRange.all());
  }

  @Test
  void theAnswerSaysWhatIsInTheDataset() throws Exception {
    HttpResponse<String> first = post("id,name\n1,Ada\n2\n3,Alan\n");
    assertEquals(200, first.statusCode());
    JsonNode answer = new ObjectMapper().readTree(first.body());
    assertEquals(2, answer.get("acknowledged").asLong());
    JsonNode refused = answer.get("refused").get(0);
    assertEquals("MALFORMED_RECORD", refused.get("reason").asText());
    assertTrue(refused.get("samples").get(0).asText().contains("body:3: the row has 1 values"));
    assertEquals(2, stored());

    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("id\n3\n4\n".getBytes(StandardCharsets.UTF_8));
    }
    JsonNode second = new ObjectMapper().readTree(send("POST", packed.toByteArray()).body());
    assertEquals(1, second.get("acknowledged").asLong());
    assertEquals("DUPLICATE_KEY", second.get("refused").get(0).get("reason").asText());
    assertEquals(3, stored());
    assertEquals(3, server.summary().stored());
    assertEquals(2, server.summary().refused());
  }

  @Test
  void whatIsNoBodyIsRefusedAndNothingOfItIsWritten() throws Exception {
    assertEquals(405, send("GET", new byte[0]).statusCode());
    assertEquals(413, send("POST", new byte[BytesSource.MOST_BYTES + 1]).statusCode());
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(("id\n1\n" + "9".repeat(10_000)).getBytes(StandardCharsets.UTF_8));
    }
    byte[] cut = java.util.Arrays.copyOf(packed.toByteArray(), packed.size() - 10);
    HttpResponse<String> damaged = send("POST", cut);
    assertEquals(400, damaged.statusCode());
    assertEquals(
        "DiskException", new ObjectMapper().readTree(damaged.body()).get("error").asText());
    assertEquals(0, stored());
    cluster.dropDataset(DATASET);
    HttpResponse<String> nowhere = post("id\n1\n");
    assertEquals(500, nowhere.statusCode());
    assertTrue(nowhere.body().contains("RequestException"), nowhere.body());
    assertThrows(
        DiskException.class,
        () ->
            PostServer.start(
                cluster, address, "csv", body -> new IngestRequest("", body, WriteMode.INSERT, 1)),
        "the port is taken");
  }

  @Test
  void whoFindsNoRoomIsToldToComeAgain() throws Exception {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int each = 0; each < PostServer.MOST_AT_A_TIME; each++) {
        Socket socket = new Socket(address.getAddress(), address.getPort());
        slow.add(socket);
        socket
            .getOutputStream()
            .write(
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nid\n"
                    .getBytes(StandardCharsets.UTF_8));
      }
      HttpResponse<String> none = post("id\n9\n");
      while (none.statusCode() == 200) {
        none = post("id\n9\n");
      }
      assertEquals(503, none.statusCode());
      assertEquals("1", none.headers().firstValue("Retry-After").orElseThrow());
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
    HttpResponse<String> again = post("id\n10\n");
    while (again.statusCode() == 503) {
      again = post("id\n10\n");
    }
    assertEquals(200, again.statusCode());
  }
}
