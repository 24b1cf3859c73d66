package dev.varve.hyracks.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: every format gives the records of its input, hands on what is none to be refused, and goes
 * on behind it. Method: small inputs with what such files have in the wild.
 */
final class InputSourceTest {
  /** Endings of names. */
  private static final List<String> PACKINGS = List.of("", ".gz", ".zst");

  @TempDir private Path directory;

  private static List<String> parse(String format, String text) throws IOException {
    RecordParser parser =
        RecordFormat.named(format)
            .parser(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    List<String> records = new ArrayList<>();
    Slice record = new Slice();
    while (parser.next(record)) {
      records.add(new String(record.toByteArray(), StandardCharsets.UTF_8));
    }
    assertFalse(parser.next(record));
    return records;
  }

  @Test
  void linesComeWithoutTheirEndsAndEmptyOnesNot() throws Exception {
    assertEquals(
        List.of("{\"id\":1}", "no record", "{\"id\":2}"),
        parse("ndjson", "{\"id\":1}\r\n\n\nno record\n{\"id\":2}"));
    assertEquals(List.of(), parse("ndjson", ""));
    assertEquals(List.of(), parse("ndjson", "\n\r\n"));
  }

  @Test
  void aLineOverTheLimitIsCutAndTheNextOneComes() throws Exception {
    for (int more : new int[] {-2, -1, 0, 1, 5_000_000}) {
      String large = "x".repeat(RecordParser.MOST_BYTES + more);
      List<String> lines = parse("ndjson", "a\n" + large + "\nb\n" + large);
      assertEquals(4, lines.size());
      assertEquals("b", lines.get(2));
      assertEquals(Math.min(large.length(), RecordParser.MOST_BYTES), lines.get(1).length());
      assertEquals(lines.get(1), lines.get(3));
    }
  }

  @Test
  void aWordInAColumnOfNumbersIsNamed() throws Exception {
    StringBuilder rows = new StringBuilder("id,zip\n");
    for (int i = 1; i <= ColumnTypes.ROWS; i++) {
      rows.append(i).append(",1\n");
    }
    rows.append("5,x\n6,2.5\n7,\"y\"\n8\n9,true");
    RecordParser parser =
        RecordFormat.named("csv")
            .parser(new ByteArrayInputStream(rows.toString().getBytes(StandardCharsets.UTF_8)));
    Slice record = new Slice();
    List<String> problems = new ArrayList<>();
    while (parser.next(record)) {
      if (parser.line() > ColumnTypes.ROWS + 1) {
        problems.add(String.valueOf(parser.problem()));
      } else {
        assertNull(parser.problem());
      }
    }
    assertEquals(
        List.of(
            "column 'zip' has only integer values in the first 1,000 rows, and 'x' is text; give"
                + " --types zip=text",
            "null",
            "null",
            "the row has 1 values, and the header 2 names",
            "column 'zip' has only integer values in the first 1,000 rows, and 'true' is boolean;"
                + " give --types zip=text"),
        problems);
  }

  @Test
  void typesThatAreGivenCount() throws Exception {
    RecordParser parser =
        RecordFormat.named("csv")
            .parser(
                new ByteArrayInputStream("a,b\n1,\"2\"\n3,word".getBytes(StandardCharsets.UTF_8)),
                new TreeMap<>(Map.of("a", ColumnType.TEXT, "b", ColumnType.INTEGER)));
    Slice record = new Slice();
    assertTrue(parser.next(record));
    assertEquals("{\"a\":\"1\",\"b\":2}", new String(record.toByteArray(), StandardCharsets.UTF_8));
    assertTrue(parser.next(record));
    assertEquals("column 'b' is to be integer, and 'word' is text", parser.problem());
  }

  @Test
  void valuesGetTheTypesThatTheyLookLike() throws Exception {
    assertEquals(
        List.of(
            "{\"id\":1,\"name\":\"Zürich\",\"zip\":\"08001\",\"x\":-8.5e2,\"ok\":true}",
            "{\"id\":2,\"name\":\"a, \\\"b\\\"\\nc\",\"zip\":\"12\",\"ok\":\"true\"}"),
        parse(
            "csv",
            String.join(
                "\r\n",
                "\uFEFFid,name,zip,x,ok",
                "1,Zürich,08001,-8.5e2,true",
                "",
                "2,\"a, \"\"b\"\"\nc\",\"12\",,\"true\"")));
    assertEquals(List.of("{\"a\":1,\"b\":\"x,y\"}"), parse("tsv", "a\tb\n1\tx,y"));
  }

  @Test
  void aRowThatIsNoneIsHandedOnAsItIs() throws Exception {
    assertEquals(
        List.of("{\"a\":1,\"b\":2}", "1,2,3\n", "4\n", "{\"a\":5,\"b\":6}"),
        parse("csv", "a,b\n1,2\n1,2,3\n4\n5,6\n"));
    String large = "x".repeat(RecordParser.MOST_BYTES);
    List<String> rows = parse("csv", "a,b\n1," + large + "\n5,6\n");
    assertEquals(RecordParser.MOST_BYTES, rows.get(0).length());
    assertEquals("{\"a\":5,\"b\":6}", rows.get(1));
  }

  @Test
  void featuresComeAsTheyStand() throws Exception {
    String first = "{\"type\":\"Feature\",\"id\":1,\"geometry\":{\"coordinates\":[[1,2.50]]}}";
    assertEquals(
        List.of(first.replace("2.50", "2.5"), "{\"id\":2}"),
        parse(
            "geojson",
            "{\"type\":\"FeatureCollection\",\"bbox\":[[1],2],\"features\":["
                + first
                + ", {\"id\":2}],\"more\":1}"));
    assertThrows(IOException.class, () -> parse("geojson", "[1]"));
    assertThrows(IOException.class, () -> parse("geojson", "{\"features\":1}"));
    assertThrows(IOException.class, () -> parse("geojson", "{\"features\":[{\"a\":1},{"));
  }

  @Test
  void aFormatThatIsNotThereIsRefusedWithThoseThatAre() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> new InputSource(List.of("a"), "parquet"));
    assertTrue(refused.getMessage().contains("geojson"), refused.getMessage());
    assertThrows(IllegalArgumentException.class, () -> new InputSource(List.of(), "csv"));
    assertThrows(
        IllegalArgumentException.class, () -> new InputSource(List.of("tcp://host"), "csv"));
  }

  @Test
  void everyInputIsReadOnceAndPackedOnesAreSeenByTheirFirstBytes() throws Exception {
    List<String> inputs = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Path file = directory.resolve("input " + i);
      try (OutputStream out = Files.newOutputStream(file);
          OutputStream packed = InputSource.packed(out, "x" + PACKINGS.get(i % 3))) {
        packed.write((i == 4 ? "" : "a" + i + "\nb" + i + "\n").getBytes(StandardCharsets.UTF_8));
      }
      inputs.add(file.toString());
      if (i < 4) {
        expected.addAll(List.of("a" + i, "b" + i));
      }
    }
    for (int partitions = 1; partitions < 8; partitions++) {
      List<String> read = new ArrayList<>();
      for (int partition = 0; partition < partitions; partition++) {
        read.addAll(read(new InputSource(inputs, "ndjson"), partition, partitions));
      }
      read.sort(null);
      List<String> sorted = new ArrayList<>(expected);
      sorted.sort(null);
      assertEquals(sorted, read);
    }
  }

  private static List<String> read(InputSource source, int partition, int partitions)
      throws StorageException {
    List<String> records = new ArrayList<>();
    Slice record = new Slice();
    try (RecordStream stream = source.open(partition, partitions, ResumePoints.NONE)) {
      while (stream.next(record)) {
        records.add(new String(record.toByteArray(), StandardCharsets.UTF_8));
      }
    }
    return records;
  }

  private static byte[] packed(String ending, String text) throws Exception {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (OutputStream packed = InputSource.packed(file, "x" + ending)) {
      packed.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return file.toByteArray();
  }

  @Test
  void packedPartsOneBehindTheOtherAreOneInput() throws Exception {
    String large = "0123456789".repeat(50_000);
    for (String ending : PACKINGS) {
      Path file = directory.resolve("parts" + ending);
      Files.write(file, packed(ending, "a\n" + large + "\nb"));
      Files.write(file, packed(ending, "c\n"), StandardOpenOption.APPEND);
      List<String> lines = read(new InputSource(List.of(file.toString()), "ndjson"), 0, 1);
      assertEquals(List.of("a", large, "bc"), lines, ending);
      boolean smaller = Files.size(file) < large.length() / 10;
      assertEquals(!ending.isEmpty(), smaller, ending);
    }
    assertEquals("a.csv", InputSource.unpackedName("a.csv.gz"));
    assertEquals("a.csv", InputSource.unpackedName("a.csv.zst"));
    assertEquals("a.csv", InputSource.unpackedName("a.csv"));
  }

  @Test
  void whatTheReferenceToolHasPackedIsRead() throws Exception {
    // zstd 1.5 of the lines that are expected, at level 19.
    String packed =
        "KLUv/QRo9QIA8oMMEaDtDnn0ov/Vq2lfhnv9qOIBu7u7u7v///+/bdu2jY4pZOwNprqmmNKkC76o"
            + "QSRdTWUoqBHw638HgKPSAxE4BH9DmOcHJ2Hfl++99c6L912769JdpFS9DBaIatwPdRs=";
    Path file = directory.resolve("lines");
    Files.write(file, Base64.getDecoder().decode(packed));
    List<String> lines = read(new InputSource(List.of(file.toString()), "ndjson"), 0, 1);
    assertEquals(
        IntStream.range(0, 40).mapToObj(id -> "{\"id\":" + id + ",\"word\":\"again\"}").toList(),
        lines);
  }

  @Test
  void aPackedInputThatIsCutOrDamagedIsNamed() throws Exception {
    for (String ending : PACKINGS.subList(1, 3)) {
      byte[] whole = packed(ending, "some text\n".repeat(1_000));
      for (int length = 4; length < whole.length; length++) {
        assertUnreadable(Arrays.copyOf(whole, length));
      }
    }
    byte[] whole = packed(".zst", "some text\n".repeat(1_000));
    byte[] wrong = whole.clone();
    Arrays.fill(wrong, 6, wrong.length, (byte) 0xFF);
    assertUnreadable(wrong);
    // A frame ends with a checksum: no bit of it changes what is read. Some, reserved, do nothing.
    Path file = directory.resolve("flipped");
    int refused = 0;
    for (int bit = 8 * 6; bit < 8 * whole.length; bit++) {
      byte[] flipped = whole.clone();
      flipped[bit / 8] ^= (byte) (1 << bit % 8);
      Files.write(file, flipped);
      try {
        List<String> lines = read(new InputSource(List.of(file.toString()), "ndjson"), 0, 1);
        assertEquals(Collections.nCopies(1_000, "some text"), lines, "bit " + bit);
      } catch (DiskException damaged) {
        refused++;
      }
    }
    assertTrue(refused > 7 * (whole.length - 6), refused + " of " + whole.length + " bytes");
  }

  private void assertUnreadable(byte[] bytes) throws IOException {
    Path file = directory.resolve("unreadable");
    Files.write(file, bytes);
    DiskException failure =
        assertThrows(
            DiskException.class,
            () -> read(new InputSource(List.of(file.toString()), "ndjson"), 0, 1));
    assertTrue(failure.getMessage().contains(file.toString()), failure.getMessage());
  }

  @Test
  void anInputThatIsNotThereIsNamed() {
    String absent = directory.resolve("absent").toString();
    DiskException failure =
        assertThrows(
            DiskException.class, () -> read(new InputSource(List.of(absent), "csv"), 0, 1));
    assertTrue(failure.getMessage().contains(absent), failure.getMessage());
  }

  @Test
  void patternsFindFilesAndEachShareHasItsOwn() throws Exception {
    for (int file = 0; file < 20; file++) {
      Files.writeString(directory.resolve("part-" + file + ".json"), "{\"id\":" + file + "}\n");
    }
    Files.writeString(directory.resolve(".part-20.json"), "{\"id\":20}\n");
    Files.writeString(directory.resolve("part-21.text"), "{\"id\":21}\n");
    InputSource source = new InputSource(List.of(directory.resolve("*.json").toString()), "ndjson");
    assertTrue(source.isOpen());
    List<String> records = new ArrayList<>();
    for (int share = 0; share < 3; share++) {
      List<String> some = read(source, share, 3);
      assertTrue(some.size() < 20, "no share has all");
      records.addAll(some);
    }
    assertEquals(20, records.size());
    assertEquals(20, Set.copyOf(records).size());
    String nothing = directory.resolve("*.csv").toString();
    assertThrows(
        DiskException.class, () -> read(new InputSource(List.of(nothing), "ndjson"), 0, 1));
  }

  @Test
  void aWatchedDirectoryIsReadUntilItIsClosed() throws Exception {
    Files.writeString(directory.resolve("a"), "1\n2\n");
    InputSource source = new InputSource(List.of("watch:" + directory), "ndjson");
    Slice record = new Slice();
    Thread closer;
    try (RecordStream stream = source.open(0, 1, ResumePoints.NONE)) {
      assertTrue(stream.next(record));
      assertTrue(stream.next(record));
      Files.writeString(directory.resolve(".b"), "3\n");
      Files.move(directory.resolve(".b"), directory.resolve("b"));
      assertTrue(stream.next(record));
      assertEquals("3", new String(record.toByteArray(), StandardCharsets.UTF_8));
      assertEquals(directory.resolve("b").toString(), stream.input());
      assertEquals(1, stream.number());
      closer = new Thread(stream::close);
      closer.start();
      assertFalse(stream.next(record));
    }
    closer.join();
  }

  private static ResumePoints points(Path file, long records, long offset) {
    TreeMap<String, ResumePoints.Point> points = new TreeMap<>();
    points.put(file.toString(), new ResumePoints.Point(records, offset));
    return new ResumePoints(points);
  }

  private static String text(Slice record) {
    return new String(record.toByteArray(), StandardCharsets.UTF_8);
  }

  /** Lines, of which one is empty and one over the limit, and rows with breaks in their quotes. */
  private static String document(String format) {
    StringBuilder text = new StringBuilder(format.equals("csv") ? "id,name\n" : "");
    for (int id = 0; id < 1_500; id++) {
      text.append(
          format.equals("csv")
              ? id + ",\"name\n" + id + "\"\r\n"
              : "{\"id\":" + id + "}" + (id % 7 == 0 ? "\r\n\n" : "\n"));
      if (id == 1_200 && !format.equals("csv")) {
        text.append("y".repeat(RecordParser.MOST_BYTES + 17)).append('\n');
      }
    }
    return text.toString();
  }

  @Test
  void anInputGoesOnAtTheByteWithoutReadingWhatIsBefore() throws Exception {
    for (String format : List.of("ndjson", "csv")) {
      for (String packing : PACKINGS) {
        Path file = directory.resolve(format + packing);
        byte[] bytes = document(format).getBytes(StandardCharsets.UTF_8);
        Files.write(file, packed(packing, document(format)));
        InputSource source = new InputSource(List.of(file.toString()), format);
        List<String> records = read(source, 0, 1);
        List<Long> offsets = new ArrayList<>();
        Slice record = new Slice();
        try (RecordStream stream = source.open(0, 1, ResumePoints.NONE)) {
          while (stream.next(record)) {
            offsets.add(stream.offset());
          }
        }
        assertEquals(bytes.length, offsets.get(offsets.size() - 1), format + packing);
        for (int passed : new int[] {1, 2, 999, 1_000, 1_001, 1_201, 1_300, records.size()}) {
          ResumePoints points = points(file, passed, offsets.get(passed - 1));
          List<String> rest = new ArrayList<>();
          try (RecordStream stream = source.open(0, 1, points)) {
            while (stream.next(record)) {
              rest.add(text(record));
              assertEquals(passed + rest.size(), stream.number());
              assertEquals(offsets.get(passed + rest.size() - 1), stream.offset());
            }
          }
          assertEquals(records.subList(passed, records.size()), rest, format + packing + passed);
        }
        // What is before is not looked at: without its line ends it would be another number.
        if (packing.isEmpty()) {
          int from = format.equals("csv") ? Math.toIntExact(offsets.get(1_001)) : 0;
          Arrays.fill(bytes, from, Math.toIntExact(offsets.get(1_199)) - 1, (byte) 'z');
          Files.write(file, bytes);
          try (RecordStream stream = source.open(0, 1, points(file, 1_200, offsets.get(1_199)))) {
            assertTrue(stream.next(record));
            assertEquals(records.get(1_200), text(record), format);
            assertEquals(file.toString(), stream.place(), "its line is not known");
          }
        }
      }
    }
  }

  @Test
  void aLastLineThatHasGrownIsNoPlaceToGoOnAt() throws Exception {
    Path file = directory.resolve("growing");
    InputSource source = new InputSource(List.of(file.toString()), "ndjson");
    Files.writeString(file, "{\"id\":1}\n{\"id\":2}  \n{\"id\":3}");
    Slice record = new Slice();
    try (RecordStream stream = source.open(0, 1, points(file, 2, 15))) {
      assertTrue(stream.next(record));
      assertEquals("{\"id\":3}", text(record), "counted, as nothing ends at that byte");
      assertEquals(3, stream.number());
    }
    assertThrows(
        DiskException.class,
        () -> {
          try (RecordStream stream = source.open(0, 1, points(file, 9, 1_000))) {
            stream.next(record);
          }
        },
        "the file has shrunk");
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Sends text to a port as soon as somebody listens there; with a reset behind it, if wanted. */
  private static boolean sent(int port, String text, boolean reset) throws Exception {
    for (int attempt = 0; attempt < 1_000; attempt++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        if (reset) {
          socket.setSoLinger(true, 0);
        }
        return true;
      } catch (ConnectException notYet) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }
    throw new AssertionError("nobody listens at " + port);
  }

  @Test
  void aListeningInputTakesOneClientAfterTheOther() throws Exception {
    int port = freePort();
    InputSource source = new InputSource(List.of("tcp-listen://:" + port), "csv");
    ExecutorService clients = Executors.newSingleThreadExecutor();
    Slice record = new Slice();
    try (RecordStream stream = source.open(0, 1, ResumePoints.NONE)) {
      Future<?> first = clients.submit(() -> sent(port, "id\n1\n2\n", false));
      assertTrue(stream.next(record));
      assertEquals("{\"id\":1}", text(record));
      assertEquals(0, stream.number(), "it can't be read again");
      assertEquals(FeedPosition.NO_OFFSET, stream.offset());
      assertTrue(stream.next(record));
      first.get();
      Future<?> others =
          clients.submit(
              () -> {
                sent(port, "id\n", true);
                return sent(port, "id\n3\n", false);
              });
      assertTrue(stream.next(record));
      assertEquals("{\"id\":3}", text(record), "a connection that was reset is left out");
      others.get();
      Future<?> closing = clients.submit(stream::close);
      assertFalse(stream.next(record), "closing ends the wait for a client");
      closing.get();
    } finally {
      clients.shutdown();
    }
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      InputSource twice =
          new InputSource(List.of("tcp-listen://127.0.0.1:" + taken.getLocalPort()), "ndjson");
      assertThrows(DiskException.class, () -> read(twice, 0, 1), "the port is taken");
    }
    for (String wrong : List.of("tcp-listen://", "tcp-listen://9000", "tcp-listen://:x")) {
      assertThrows(
          IllegalArgumentException.class, () -> new InputSource(List.of(wrong), "ndjson"), wrong);
    }
  }
}
