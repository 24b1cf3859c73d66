package dev.varve.hyracks.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.adapter.NodeFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which processes a cluster has on this machine, in the file {@code processes.json} of its working
 * directory. It is there from the cluster's start to its stop. Immutable.
 *
 * @param clientPort where the controller listens for clients, on loopback
 * @param processes the controller and the nodes, in the order in which they were started
 */
record ProcessRecord(int clientPort, List<Started> processes) {
  private static final String FILE = "processes.json";
  private static final String KIND = "varve-processes";
  private static final int FORMAT = 1;

  /**
   * A process.
   *
   * @param name {@code controller}, or the node's
   * @param pid its number in the system
   * @param startedMillis when it was started, in milliseconds since 1970; with the number it tells
   *     the process from every other one
   */
  record Started(String name, long pid, long startedMillis) {
    /** The process that was just started. */
    static Started of(String name, ProcessHandle process) {
      long began = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
      return new Started(name, process.pid(), began);
    }

    /** The process while it runs. */
    Optional<ProcessHandle> running() {
      return ProcessHandle.of(pid)
          .filter(ProcessHandle::isAlive)
          .filter(process -> of(name, process).startedMillis == startedMillis);
    }
  }

  ProcessRecord {
    processes = List.copyOf(processes);
  }

  /** The record with a process more, in the place of an earlier one with its name. */
  ProcessRecord with(Started process) {
    List<Started> all = new ArrayList<>(processes);
    all.removeIf(other -> other.name.equals(process.name));
    all.add(process);
    assert all.stream().map(Started::name).distinct().count() == all.size() : all;
    return new ProcessRecord(clientPort, all);
  }

  /** The process with a name. */
  Optional<Started> process(String name) {
    return processes.stream().filter(process -> process.name.equals(name)).findFirst();
  }

  private static NodeFile file(FileSystem files, Path work) {
    return new NodeFile(files, work.resolve(FILE));
  }

  static Optional<ProcessRecord> read(FileSystem files, Path work) throws StorageException {
    JsonNode document = file(files, work).read(KIND, FORMAT).orElse(null);
    if (document == null) {
      return Optional.empty();
    }
    List<Started> processes = new ArrayList<>();
    for (JsonNode process : document.path("processes")) {
      processes.add(
          new Started(
              process.path("name").asText(),
              process.path("pid").asLong(),
              process.path("startedMillis").asLong()));
    }
    return Optional.of(new ProcessRecord(document.path("clientPort").asInt(), processes));
  }

  void write(FileSystem files, Path work) throws StorageException {
    ObjectNode document = NodeFile.newDocument(KIND, FORMAT).put("clientPort", clientPort);
    ArrayNode list = document.putArray("processes");
    for (Started process : processes) {
      list.addObject()
          .put("name", process.name)
          .put("pid", process.pid)
          .put("startedMillis", process.startedMillis);
    }
    file(files, work).write(document);
  }

  static void delete(FileSystem files, Path work) throws StorageException {
    files.delete(work.resolve(FILE));
  }
}
