package dev.varve.hyracks.feed;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import io.airlift.compress.MalformedInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Files, FIFOs, standard input, TCP sockets and web addresses, read one after the other; each feed
 * partition takes every so-manieth of them. What begins as gzip or zstd does is taken out of it.
 * Inputs are opened on the node whose share they are: standard input is that of the node's process.
 * Immutable.
 *
 * @param inputs paths, also with {@code *} and {@code ?} in their last part, {@code watch:} and a
 *     path or a directory for all files that are there or come, until the feed is stopped, in the
 *     order of their names as far as they are there, {@code -} for standard input, {@code
 *     tcp://HOST:PORT} to connect to, {@code tcp-listen://HOST:PORT} to be connected to, by one
 *     client after the other until the feed is stopped, on loopback where the host is left out, or
 *     {@code http://} and {@code https://} addresses to get
 * @param format name of the {@link RecordFormat}
 * @param types of columns that are given, by name, for formats that would infer them
 */
public record InputSource(List<String> inputs, String format, SortedMap<String, ColumnType> types)
    implements RecordSource {
  private static final long serialVersionUID = 1L;

  /** Standard input. */
  public static final String STANDARD = "-";

  private static final Logger LOGGER = LogManager.getLogger();

  private static final String TCP = "tcp://";

  /**
   * Checks the format, and the form of the inputs.
   *
   * @throws IllegalArgumentException when there is no such format, no input, or a socket without
   *     host or port
   */
  public InputSource {
    inputs = List.copyOf(inputs);
    types = new TreeMap<>(types);
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("there is nothing to read");
    }
    if (new HashSet<>(inputs).size() < inputs.size()) {
      throw new IllegalArgumentException("an input is there twice: " + inputs);
    }
    RecordFormat known = RecordFormat.named(format);
    assert known.formatName().equals(format) : known;
    for (String input : inputs) {
      if (input.startsWith(TCP)) {
        URI address = URI.create(input);
        if (address.getHost() == null || address.getPort() < 0) {
          throw new IllegalArgumentException(input + " is not " + TCP + "HOST:PORT");
        }
      } else if (ListeningInput.isOne(input)) {
        ListeningInput checked = ListeningInput.at(input);
        assert checked.name().equals(input) : checked;
      }
    }
  }

  /** Inputs whose types are inferred. */
  public InputSource(List<String> inputs, String format) {
    this(inputs, format, Collections.emptySortedMap());
  }

  /** The same input for a process with another working directory. */
  public static String absolute(String input) {
    return input.equals(STANDARD) || input.contains("://") ? input : InputNames.absolute(input);
  }

  /**
   * Where an input listens: what stands behind a prefix, {@code HOST:PORT}, on loopback where the
   * host is left out.
   *
   * @throws IllegalArgumentException when that is no address
   */
  public static InetSocketAddress listeningAddress(String input, String prefix) {
    return ListeningInput.address(input, prefix);
  }

  /**
   * Packs what goes into a file as inputs may be packed: gzip where its name ends with {@code .gz},
   * zstd where it ends with {@code .zst}, and else not at all.
   *
   * @param file the bytes of the file; stays open when the result is closed, which writes what is
   *     left
   */
  public static OutputStream packed(OutputStream file, String name) throws DiskException {
    return Packing.packed(file, name);
  }

  /** The name of a packed file without the ending that says how it is packed. */
  public static String unpackedName(String name) {
    return Packing.unpackedName(name);
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The names are closed with the stream.
  public RecordStream open(int partition, int partitions, ResumePoints resume)
      throws DiskException {
    InputNames names =
        new InputNames(
            this,
            new LocalFileSystem(),
            new ThreadTaskExecutor().newSignal(),
            partition,
            partitions);
    return new Inputs(this, names, resume);
  }

  /** Whether it may be more inputs than are named. */
  public boolean isOpen() {
    return inputs.stream().anyMatch(InputNames::isOpen);
  }

  /** Whether reading an input again gives the same records. */
  private static boolean isRepeatable(String input) {
    return isAddress(input)
        || (!input.equals(STANDARD)
            && !input.startsWith(TCP)
            && !ListeningInput.isOne(input)
            && Path.of(input).toFile().isFile());
  }

  private static boolean isAddress(String input) {
    return input.startsWith("http://") || input.startsWith("https://");
  }

  private InputStream open(String input, @Nullable ListeningInput listening)
      throws IOException, DiskException {
    InputStream raw;
    if (listening != null) {
      raw = listening.accept();
    } else if (input.equals(STANDARD)) {
      raw = System.in;
    } else if (input.startsWith(TCP)) {
      URI address = URI.create(input);
      raw = new Socket(address.getHost(), address.getPort()).getInputStream();
    } else {
      // An input is no file of the engine: it may be a FIFO, which has no positions to read at.
      raw = (isAddress(input) ? URI.create(input) : Path.of(input).toUri()).toURL().openStream();
    }
    return Packing.unpacked(raw, input);
  }

  private static final class Inputs implements RecordStream {
    private final InputSource source;
    private final InputNames names;
    private final ResumePoints resume;
    private String current = "";
    private boolean repeatable;
    private long number;
    private volatile @Nullable InputStream input;
    private volatile boolean closed;
    private volatile @Nullable RecordParser parser;

    /** The socket of the current input, which has a next client when one has gone. */
    private volatile @Nullable ListeningInput listening;

    Inputs(InputSource source, InputNames names, ResumePoints resume) {
      this.source = source;
      this.names = names;
      this.resume = resume;
    }

    @Override
    public boolean next(Slice record) throws StorageException {
      while (true) {
        try {
          RecordParser reading = parser;
          if (reading != null && reading.next(record)) {
            number++;
            return true;
          }
          closeInput();
          if (listening == null) {
            String name = names.next();
            if (name == null) {
              return false;
            }
            current = name;
            listening = ListeningInput.isOne(name) ? ListeningInput.at(name).listen() : null;
          }
          openInput(record);
        } catch (IOException failure) {
          requireListening(new DiskException(current, "read", failure));
        } catch (DiskException failure) {
          requireListening(failure);
        } catch (MalformedInputException damaged) {
          requireListening(
              new DiskException(current, "read: zstd can't unpack it", new IOException(damaged)));
        }
        if (closed) {
          return false;
        }
      }
    }

    /** What a client breaks is its own connection; any other input ends the feed. */
    private void requireListening(DiskException failure) throws DiskException {
      if (listening == null) {
        throw failure;
      }
      if (!closed) {
        LOGGER.warn("a client's connection has failed, the next one is waited for", failure);
      }
      parser = null;
    }

    private void openInput(Slice record) throws IOException, DiskException {
      RecordParser reading = openParser();
      repeatable = isRepeatable(current);
      number = 0;
      ResumePoints.Point point = resume.at(current);
      if (!repeatable || point.records() == 0) {
        return;
      }
      if (point.offset() > 0) {
        if (reading.resume(point.offset())) {
          number = point.records();
          return;
        }
        closeInput();
        reading = openParser();
      }
      while (number < point.records() && reading.next(record)) {
        number++;
      }
    }

    private RecordParser openParser() throws DiskException {
      try {
        InputStream next = source.open(current, listening);
        input = next;
        if (closed) {
          next.close();
          throw new IOException("the input was closed while it was opened");
        }
        RecordParser reading = RecordFormat.named(source.format).parser(next, source.types);
        parser = reading;
        return reading;
      } catch (IOException failure) {
        throw new DiskException(current, "read", failure);
      }
    }

    @Override
    public String input() {
      return current;
    }

    @Override
    public long number() {
      return repeatable ? number : 0;
    }

    @Override
    public long offset() {
      RecordParser reading = parser;
      return reading == null || !repeatable ? FeedPosition.NO_OFFSET : reading.offset();
    }

    @Override
    public String place() {
      RecordParser reading = parser;
      long line = reading == null ? 0 : reading.line();
      return line == 0 ? current : current + ":" + line;
    }

    @Override
    public @Nullable String problem() {
      RecordParser reading = parser;
      return reading == null ? null : reading.problem();
    }

    private void closeInput() throws IOException {
      InputStream open = input;
      parser = null;
      input = null;
      if (open != null) {
        open.close();
      }
    }

    @Override
    public void close() {
      closed = true;
      names.close();
      ListeningInput socket = listening;
      try {
        if (socket != null) {
          socket.close();
        }
        closeInput();
      } catch (IOException unread) {
        // Everything that was wanted of it was read.
        assert closed;
      }
    }
  }
}
