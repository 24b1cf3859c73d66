package dev.varve.it.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.btree.KeyRange;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.hyracks.feed.FeedLedger;
import dev.varve.hyracks.feed.InputSource;
import dev.varve.hyracks.feed.RefusalReason;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterOptions;
import dev.varve.hyracks.node.ClusterShape;
import dev.varve.hyracks.node.IngestRequest;
import dev.varve.hyracks.node.IngestSummary;
import dev.varve.hyracks.node.Ingestion;
import dev.varve.hyracks.operator.WriteMode;
import dev.varve.it.cli.CommandRun;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: anybody's data goes into a dataset as the command says, what is no record is refused and
 * counted, and what trickles in is durable before more comes. Method: small files of the usual
 * formats, and a socket that stays open.
 */
final class InputClusterTest {
  @TempDir private Path directory;

  private Path file(String name, String text) throws IOException {
    Path path = directory.resolve(name);
    try (OutputStream out = Files.newOutputStream(path);
        OutputStream packed = name.endsWith(".gz") ? new GZIPOutputStream(out) : out) {
      packed.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return path;
  }

  private String store() {
    return directory.resolve("store").toString();
  }

  private CommandRun ingest(String line) {
    return CommandRun.of(
        ("ingest --dir " + store() + " --json --nodes 1 --partitions 2 " + line).split(" "));
  }

  @Test
  void filesOfTheUsualFormatsGoIn() throws Exception {
    Path values = file("a.csv.gz", "geo,name\n1,\"a, b\"\n2,c\n2,again\nno,number,here\n");
    CommandRun run =
        ingest("--dataset places --key geo --index name --format csv --input " + values);
    assertEquals(0, run.exitCode(), run::toString);
    JsonNode summary = run.json();
    assertEquals(2, summary.at("/acknowledged").asLong());
    assertEquals("DUPLICATE_KEY", summary.at("/refused/0/reason").asText());
    assertEquals("MALFORMED_RECORD", summary.at("/refused/1/reason").asText());

    Path features =
        file("b.json", "{\"type\":\"FeatureCollection\",\"features\":[{\"geo\":3},{\"geo\":4}]}");
    assertEquals(
        2,
        ingest("--dataset places --key geo --format geojson --input " + features)
            .json()
            .at("/acknowledged")
            .asLong());
    Path lines = file("c", "{\"geo\":4,\"name\":\"new\"}\n{\"geo\":5}\n");
    assertEquals(
        2,
        ingest("--upsert --dataset places --key geo --input " + lines)
            .json()
            .at("/acknowledged")
            .asLong());
    CommandRun tooMany =
        ingest("--max-refused 1 --dataset places --key geo --format csv --input " + values);
    assertEquals(1, tooMany.exitCode(), tooMany::toString);
    assertEquals("LimitException", tooMany.json().at("/error/type").asText(), tooMany::toString);
    String message = tooMany.json().at("/error/message").asText();
    assertTrue(message.startsWith("refused records: 4, at most 1; 3 DUPLICATE_KEY ("), message);
    assertTrue(message.contains("), 1 MALFORMED_RECORD ("), message);
    assertTrue(message.endsWith("--feed NAME --rejects FILE keeps all that is left out"), message);

    ClusterOptions options =
        new ClusterOptions(
            Path.of(store()), new ClusterShape(1, 2), EngineOptions.of(Path.of(store())));
    try (Cluster cluster = Cluster.start(options)) {
      assertEquals(5, cluster.countScan("places", KeyRange.all()));
      assertTrue(
          new String(cluster.get("places", Key.of(4L)).orElseThrow(), StandardCharsets.UTF_8)
              .contains("new"));
      assertEquals(List.of(), cluster.verify("places"));
    }
  }

  @Test
  void whatANamedFeedLeavesOutIsKeptAndWritten() throws Exception {
    String huge = "{\"geo\":9,\"text\":\"" + "\u00e9".repeat(1_500_000) + "\"}";
    Path lines = file("lines", "{\"geo\":1}\nno record\n{\"geo\":1,\"new\":true}\n" + huge + "\n");
    Path rejects = directory.resolve("rejects");
    String feed = "--feed f --dataset places --key geo --input " + lines + " --rejects ";
    assertEquals(1, ingest(feed + rejects).json().at("/acknowledged").asLong());
    Map<String, JsonNode> found = rejects(rejects);
    assertEquals(Set.of(lines + ":2", lines + ":3", lines + ":4"), found.keySet());
    JsonNode second = found.get(lines + ":2");
    assertEquals("MALFORMED_RECORD", second.get("reason").asText());
    assertEquals("no record", second.get("record").asText());
    assertEquals("DUPLICATE_KEY", found.get(lines + ":3").get("reason").asText());
    JsonNode fourth = found.get(lines + ":4");
    assertEquals("OVER_LIMIT", fourth.get("reason").asText());
    assertEquals(huge.substring(0, FeedLedger.MOST_CHARACTERS), fourth.get("record").asText());

    // A limit fails the command, and all that was left out is there nevertheless.
    Path over = directory.resolve("over");
    CommandRun tooMany = ingest("--max-refused 2 " + feed.replace("--feed f", "--feed g") + over);
    assertEquals(1, tooMany.exitCode(), tooMany::toString);
    String message = tooMany.json().at("/error/message").asText();
    assertTrue(message.startsWith("refused records: "), message);
    assertTrue(message.endsWith(over + " has all that the feed has left out"), message);
    assertTrue(rejects(over).size() > 2, message);

    // The next run reads nothing again, and says all that was left out so far.
    Files.writeString(lines, "{}\n", StandardOpenOption.APPEND);
    Path again = directory.resolve("again");
    assertEquals(0, ingest(feed + again).json().at("/acknowledged").asLong());
    assertEquals(4, rejects(again).size());
    assertEquals(2, ingest("--dataset places --input x --rejects y").exitCode());
  }

  private static Map<String, JsonNode> rejects(Path file) throws IOException {
    Map<String, JsonNode> rejects = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      JsonNode reject = new ObjectMapper().readTree(line);
      rejects.put(reject.get("place").asText(), reject);
    }
    return rejects;
  }

  @Test
  void whatTricklesInIsDurableWhileTheSourceStaysOpen() throws Exception {
    DatasetOptions options =
        DatasetOptions.of("trickle", "id").withIndexes(List.of(IndexDefinition.on("name")));
    ClusterShape shape = new ClusterShape(2, 2);
    try (Cluster cluster = Cluster.start(ClusterOptions.of(directory.resolve("trickle"), shape));
        ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      cluster.createOrOpenDataset(options);
      InputSource source =
          new InputSource(List.of("tcp://127.0.0.1:" + server.getLocalPort()), "ndjson");
      try (Ingestion feed =
              cluster.ingest(new IngestRequest("trickle", source, WriteMode.INSERT, 1));
          Socket socket = server.accept()) {
        OutputStream out = socket.getOutputStream();
        for (int id = 0; id < 5; id++) {
          out.write(("{\"id\":" + id + "}\n").getBytes(StandardCharsets.UTF_8));
          out.flush();
          awaitStored(feed, id + 1);
        }
        out.write(("x".repeat(3_000_000) + "\n{\"id\":5}\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        awaitStored(feed, 6);
        socket.shutdownOutput();
        IngestSummary result = feed.result();
        assertEquals(6, result.stored());
        assertEquals(1, result.refused());
        assertEquals(RefusalReason.OVER_LIMIT, result.refusals().get(0).reason());
      }
      assertEquals(6, cluster.countScan("trickle", KeyRange.all()));
    }
  }

  /** Waits for what must come though nothing more is sent. */
  private static void awaitStored(Ingestion feed, long records) {
    for (int look = 0; look < 600 && feed.progress().stored() < records; look++) {
      feed.await(TimeUnit.MILLISECONDS.toNanos(100));
    }
    assertEquals(records, feed.progress().stored());
  }
}
