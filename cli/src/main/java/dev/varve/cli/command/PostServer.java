package dev.varve.cli.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.feed.BytesSource;
import dev.varve.hyracks.feed.PartitionCounters;
import dev.varve.hyracks.feed.PartitionProgress;
import dev.varve.hyracks.feed.RecordParser;
import dev.varve.hyracks.feed.RecordStream;
import dev.varve.hyracks.feed.RefusalReport;
import dev.varve.hyracks.feed.ResumePoints;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.IngestRequest;
import dev.varve.hyracks.node.IngestSummary;
import dev.varve.hyracks.node.Ingestion;
import dev.varve.hyracks.node.JobFailedException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Takes records by HTTP: the body of each POST is a feed of its own, and the answer, sent when it
 * has ended, says how many of its records are durable and what was refused. A client that gets no
 * room is told to come again. Thread-safe; the caller closes it, and what is under way ends first.
 */
final class PostServer implements AutoCloseable {
  /** What an input begins with that is such a server. */
  static final String PREFIX = "http-listen://";

  /** So many bodies are worked on at a time. */
  static final int MOST_AT_A_TIME = 4;

  private static final Logger LOGGER = LogManager.getLogger();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MOST_WAITING = 64;
  private static final int CLOSE_SECONDS = 60;

  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int NO_SUCH_METHOD = 405;
  private static final int TOO_LARGE = 413;
  private static final int FAILED = 500;
  private static final int COME_AGAIN = 503;

  private final Cluster cluster;
  private final Bodies bodies;
  private final String format;
  private final HttpServer server;
  private final ForkJoinPool threads = new ForkJoinPool(2 * MOST_AT_A_TIME);
  private final Semaphore room = new Semaphore(MOST_AT_A_TIME);
  private final AtomicReference<IngestSummary> done =
      new AtomicReference<>(new IngestSummary(List.of()));

  private volatile boolean stopped;

  /** What becomes of a body. */
  @FunctionalInterface
  interface Bodies {
    /** The feed that puts it into a dataset. */
    IngestRequest feed(BytesSource body);
  }

  /** What a client is told of its body: these names, as JSON. */
  record Answer(long acknowledged, List<RefusalReport> refused) {}

  /** What a client is told of a failure: these names, as JSON. */
  record Failure(String error, String message, long acknowledged) {}

  private PostServer(Cluster cluster, Bodies bodies, String format, HttpServer server) {
    this.cluster = cluster;
    this.bodies = bodies;
    this.format = format;
    this.server = server;
  }

  /**
   * Listens.
   *
   * @param format of the bodies
   * @throws DiskException when nobody can listen there
   */
  static PostServer start(Cluster cluster, InetSocketAddress address, String format, Bodies bodies)
      throws DiskException {
    HttpServer server;
    try {
      server = HttpServer.create(address, MOST_WAITING);
    } catch (IOException taken) {
      throw new DiskException(PREFIX + address, "listen", taken);
    }
    PostServer posts = new PostServer(cluster, bodies, format, server);
    server.setExecutor(posts.threads);
    server.createContext("/", exchange -> posts.answer(new Reply(exchange)));
    server.start();
    return posts;
  }

  /** What all bodies together have done so far. */
  IngestSummary summary() {
    return Objects.requireNonNull(done.get());
  }

  private static IngestSummary together(IngestSummary one, IngestSummary other) {
    List<PartitionProgress> all = new ArrayList<>(one.partitions());
    all.addAll(other.partitions());
    IngestSummary both = new IngestSummary(all);
    List<RefusalReport> refusals = both.refusals().stream().map(PostServer::shortened).toList();
    return new IngestSummary(
        List.of(
            new PartitionProgress(
                0, both.stored(), both.refused(), PartitionCounters.NO_KEY, refusals)));
  }

  private static RefusalReport shortened(RefusalReport report) {
    int samples = Math.min(PartitionCounters.MAX_SAMPLES, report.samples().size());
    return new RefusalReport(report.reason(), report.count(), report.samples().subList(0, samples));
  }

  /** One exchange, and how it is answered. */
  private record Reply(HttpExchange exchange) {
    void send(int status, Object answer) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      if (status == COME_AGAIN) {
        exchange.getResponseHeaders().set("Retry-After", "1");
      }
      try {
        byte[] json = JSON.writeValueAsBytes(answer);
        exchange.sendResponseHeaders(status, json.length);
        exchange.getResponseBody().write(json);
      } catch (IOException gone) {
        LOGGER.info("a client has gone before its answer", gone);
      }
    }

    void refuse(int status, String message) {
      send(status, new Failure("REFUSED", message, 0));
    }
  }

  private void answer(Reply reply) {
    try (HttpExchange exchange = reply.exchange) {
      if (!exchange.getRequestMethod().equals("POST")) {
        exchange.getResponseHeaders().set("Allow", "POST");
        reply.refuse(NO_SUCH_METHOD, "records come by POST");
      } else if (!room.tryAcquire()) {
        reply.refuse(COME_AGAIN, MOST_AT_A_TIME + " bodies are being written; send this one again");
      } else {
        try {
          byte[] body = exchange.getRequestBody().readNBytes(BytesSource.MOST_BYTES + 1);
          if (body.length > BytesSource.MOST_BYTES) {
            reply.refuse(TOO_LARGE, "a body has at most " + BytesSource.MOST_BYTES + " bytes");
          } else {
            write(reply, body);
          }
        } finally {
          room.release();
        }
      }
    } catch (IOException gone) {
      LOGGER.info("a client has gone before its body was read", gone);
    } catch (RuntimeException failure) {
      LOGGER.error("a body could not be answered", failure);
      throw failure;
    }
  }

  private void write(Reply reply, byte[] body) {
    BytesSource source = new BytesSource("body", format, body);
    try {
      requireReadable(source);
    } catch (StorageException unreadable) {
      reply.send(BAD_REQUEST, failure(unreadable, new IngestSummary(List.of())));
      return;
    }
    IngestSummary known = new IngestSummary(List.of());
    try (Ingestion feed = cluster.ingest(bodies.feed(source))) {
      try {
        known = feed.result();
      } catch (StorageException | JobFailedException failure) {
        known = feed.progress();
        throw failure;
      } finally {
        done.accumulateAndGet(known, PostServer::together);
      }
      reply.send(OK, new Answer(known.stored(), known.refusals()));
    } catch (StorageException failure) {
      reply.send(FAILED, failure(failure, known));
    } catch (JobFailedException failure) {
      reply.send(COME_AGAIN, failure(failure, known));
    }
  }

  /** Reads a body once, so that nothing is written of one that can't be read to its end. */
  private static void requireReadable(BytesSource source) throws StorageException {
    Slice record = new Slice();
    try (RecordStream stream = source.open(0, 1, ResumePoints.NONE)) {
      while (stream.next(record)) {
        assert record.length() <= RecordParser.MOST_BYTES : stream.place();
      }
    }
  }

  private static Failure failure(Exception failure, IngestSummary known) {
    return new Failure(
        failure.getClass().getSimpleName(), String.valueOf(failure.getMessage()), known.stored());
  }

  /** Takes nothing more, lets what is under way end, and says what was done; idempotent. */
  IngestSummary stop() {
    if (!stopped) {
      stopped = true;
      try {
        if (!room.tryAcquire(MOST_AT_A_TIME, CLOSE_SECONDS, TimeUnit.SECONDS)) {
          LOGGER.warn("bodies are still written after {} s", CLOSE_SECONDS);
        }
      } catch (InterruptedException hurried) {
        Thread.currentThread().interrupt();
      }
      server.stop(0);
      threads.shutdown();
    }
    return summary();
  }

  /** As {@link #stop}. */
  @Override
  public void close() {
    IngestSummary done = stop();
    assert done.refused() >= 0 : done;
  }
}
