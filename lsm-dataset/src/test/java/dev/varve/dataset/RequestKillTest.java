package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.EngineRequest;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.IndexDefinition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a kill of either side between a request and its answer leaves a store that opens, and has
 * done what was asked or has not; nobody waits, and nothing of the request is left. Method: real
 * processes that are killed as soon as the request is there, or a moment later.
 */
@Tag("slow")
final class RequestKillTest {
  private static final EngineSeams SEAMS = EngineSeams.ofSystem(new LocalFileSystem());
  private static final int RECORDS = 2_000;
  private static final String SERVE = "serve";

  private enum Asked {
    LOOK,
    PUT,
    ADD_INDEX,
    COMPACT
  }

  @TempDir private Path temporary = Path.of("");

  /** The process that serves, or asks, until it is killed. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[1]);
    if (arguments[0].equals(SERVE)) {
      try (StorageEngine engine = filled(directory)) {
        Files.createFile(directory.resolveSibling("ready"));
        while (System.in.read() >= 0) {
          assertEquals(1, engine.names().size());
        }
      }
    } else {
      ask(directory, Asked.valueOf(arguments[0]));
    }
  }

  private static StorageEngine filled(Path directory) throws StorageException {
    StorageEngine engine = StorageEngine.open(directory);
    Dataset people = engine.createDataset(TestStore.people());
    try (RecordSession session = people.openSession()) {
      for (int id = 0; id < RECORDS; id++) {
        session.upsert(TestStore.person(id, "Ada", "London", id));
      }
    }
    people.flush();
    return engine;
  }

  private static List<byte[]> batch() {
    List<byte[]> batch = new ArrayList<>();
    for (int id = RECORDS; id < 2 * RECORDS; id++) {
      batch.add(TestStore.person(id, "Bob", "Paris", id));
    }
    return batch;
  }

  private static void ask(Path directory, Asked asked) throws StorageException {
    switch (asked) {
      case PUT -> {
        RunningEngine.Taken taken = RunningEngine.put(SEAMS, directory, "people", batch());
        assertTrue(taken.refused().isEmpty());
      }
      case LOOK -> RunningEngine.ask(SEAMS, directory, EngineRequest.look()).close();
      case COMPACT -> RunningEngine.ask(SEAMS, directory, EngineRequest.compact()).close();
      case ADD_INDEX ->
          RunningEngine.ask(SEAMS, directory, EngineRequest.addIndex("people", "age")).close();
    }
  }

  private Process start(String what, Path directory) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-ea",
            "-Xmx256m",
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            RequestKillTest.class.getName(),
            what,
            directory.toString())
        .redirectErrorStream(true)
        .redirectOutput(temporary.resolve(what + ".log").toFile())
        .start();
  }

  private static void kill(Process process) throws InterruptedException {
    process.destroyForcibly();
    assertTrue(process.waitFor(1, TimeUnit.MINUTES));
  }

  private static List<Path> requests(Path directory) throws IOException {
    Path desk = directory.resolve(RequestFiles.NAME);
    if (!Files.exists(desk)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(desk)) {
      return all.filter(Files::isDirectory).toList();
    }
  }

  /** Waits for a request that is whole, and some moments more. */
  private static void awaitRequest(Path directory, int millis) throws Exception {
    while (requests(directory).stream().noneMatch(at -> Files.exists(at.resolve("request")))) {
      Thread.onSpinWait();
    }
    CompletableFuture<String> moment = new CompletableFuture<>();
    moment.completeOnTimeout("over", 1 + millis, TimeUnit.MILLISECONDS);
    assertEquals("over", moment.get());
  }

  /** The store has done what was asked, or has not, and does it now. */
  private static void check(StorageEngine engine, Path directory, Asked asked)
      throws StorageException {
    Dataset people = engine.dataset("people");
    long records = people.count(ValueRange.all());
    assertTrue(records >= RECORDS && records <= 2 * RECORDS, records + " records");
    assertTrue(asked == Asked.PUT || records == RECORDS, records + " records");
    assertTrue(engine.verify().clean(), () -> asked + " left damage");
    if (asked == Asked.ADD_INDEX) {
      try {
        people.addIndex(IndexDefinition.on("age"));
      } catch (ConflictException there) {
        assertEquals(ConflictException.Reason.NAME_EXISTS, there.reason());
        while (!searchesFind(people)) {
          Thread.onSpinWait();
        }
      }
      assertEquals(
          1, TestStore.records(people.search("age", ValueRange.exactly(Key.of(7)))).size());
    } else {
      ask(directory, asked);
    }
  }

  /** The options say first that an index answers, since they are what is durable. */
  private static boolean searchesFind(Dataset people) throws StorageException {
    try {
      people.search("age", ValueRange.all()).close();
      return true;
    } catch (RequestException unknown) {
      return false;
    }
  }

  @Test
  void aServingProcessThatIsKilledHasDoneItOrHasNot() throws Exception {
    RandomGenerator random = Seeds.random(Seeds.one(1));
    for (Asked asked : Asked.values()) {
      Path directory = temporary.resolve(asked.name()).resolve("engine");
      Files.createDirectories(directory);
      Process process = start(SERVE, directory);
      try {
        while (!Files.exists(directory.resolveSibling("ready"))) {
          assertTrue(process.isAlive(), () -> "see " + temporary);
        }
        CompletableFuture<ConflictException.Reason> asking =
            CompletableFuture.supplyAsync(() -> reasonOf(directory, asked));
        awaitRequest(directory, random.nextInt(700));
        kill(process);
        ConflictException.Reason reason = asking.get(1, TimeUnit.MINUTES);
        assertTrue(reason == null || reason == ConflictException.Reason.LEFT_OPEN, "" + reason);
        System.out.println(asked + ": " + (reason == null ? "answered" : "not answered"));
      } finally {
        kill(process);
      }
      assertEquals(List.of(), requests(directory));
      try (StorageEngine engine = StorageEngine.open(directory)) {
        check(engine, directory, asked);
      }
    }
  }

  private static ConflictException.Reason reasonOf(Path directory, Asked asked) {
    try {
      ask(directory, asked);
      return null;
    } catch (ConflictException conflict) {
      return conflict.reason();
    } catch (StorageException failure) {
      throw new IllegalStateException(failure);
    }
  }

  /** Asks until only some requests are left: soon, since a desk that was asked looks more often. */
  private static void awaitRequests(Path directory, List<Path> expected) throws Exception {
    for (int round = 0; round < 200 && !requests(directory).equals(expected); round++) {
      ask(directory, Asked.COMPACT);
    }
    assertEquals(expected, requests(directory));
  }

  @Test
  void aDirectoryWithoutARequestGoesWithTheProcessThatMadeIt() throws Exception {
    Path directory = temporary.resolve("engine");
    try (StorageEngine engine = filled(directory)) {
      // As of a process that was killed when it had withdrawn its request.
      Path left = directory.resolve(RequestFiles.NAME).resolve("left");
      Files.createDirectories(left.resolve("look"));
      Files.createFile(left.resolve("look").resolve("file"));
      Path held = Files.createDirectories(left.resolveSibling("held"));
      try (FileSystem.DirectoryLock lives = SEAMS.files().lock(held)) {
        awaitRequests(directory, List.of(held));
        for (int round = 0; round < 60; round++) {
          ask(directory, Asked.COMPACT);
        }
        assertEquals(List.of(held), requests(directory), () -> "" + lives);
      }
      awaitRequests(directory, List.of());
      assertEquals(1, engine.names().size());
    }
  }

  @Test
  void anAskingProcessThatIsKilledLeavesNothing() throws Exception {
    RandomGenerator random = Seeds.random(Seeds.one(2));
    Path directory = temporary.resolve("engine");
    try (StorageEngine engine = filled(directory)) {
      for (Asked asked : new Asked[] {Asked.LOOK, Asked.COMPACT, Asked.PUT}) {
        Process process = start(asked.name(), directory);
        try {
          awaitRequest(directory, random.nextInt(600));
        } finally {
          kill(process);
        }
        awaitRequests(directory, List.of());
        check(engine, directory, asked);
      }
    }
  }
}
