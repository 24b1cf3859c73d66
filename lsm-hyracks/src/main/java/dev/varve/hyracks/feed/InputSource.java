package dev.varve.hyracks.feed;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Files, FIFOs, standard input, TCP sockets and web addresses, read one after the other; each feed
 * partition takes every so-manieth of them. What begins as gzip does is taken out of it. Inputs are
 * opened on the node whose share they are: standard input is that of the node's process. Immutable.
 *
 * @param inputs paths, {@code -} for standard input, {@code tcp://HOST:PORT} to connect to, or
 *     {@code http://} and {@code https://} addresses to get
 * @param format name of the {@link RecordFormat}
 * @param types of columns that are given, by name, for formats that would infer them
 */
public record InputSource(List<String> inputs, String format, SortedMap<String, ColumnType> types)
    implements RecordSource {
  private static final long serialVersionUID = 1L;

  /** Standard input. */
  public static final String STANDARD = "-";

  private static final String TCP = "tcp://";
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int GZIP_FIRST = 0x1F;
  private static final int GZIP_SECOND = 0x8B;

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
      }
    }
  }

  /** Inputs whose types are inferred. */
  public InputSource(List<String> inputs, String format) {
    this(inputs, format, Collections.emptySortedMap());
  }

  /** The same input for a process with another working directory. */
  public static String absolute(String input) {
    return input.equals(STANDARD) || input.contains("://")
        ? input
        : Path.of(input).toAbsolutePath().toString();
  }

  @Override
  @MustBeClosed
  public RecordStream open(int partition, int partitions, ResumePoints resume) {
    List<String> share = new ArrayList<>();
    for (int i = partition; i < inputs.size(); i += partitions) {
      share.add(inputs.get(i));
    }
    return new Inputs(this, share, resume);
  }

  /** Whether reading an input again gives the same records. */
  private static boolean isRepeatable(String input) {
    return isAddress(input)
        || (!input.equals(STANDARD) && !input.startsWith(TCP) && Path.of(input).toFile().isFile());
  }

  private static boolean isAddress(String input) {
    return input.startsWith("http://") || input.startsWith("https://");
  }

  private static InputStream open(String input) throws IOException {
    InputStream raw;
    if (input.equals(STANDARD)) {
      raw = System.in;
    } else if (input.startsWith(TCP)) {
      URI address = URI.create(input);
      raw = new Socket(address.getHost(), address.getPort()).getInputStream();
    } else {
      // An input is no file of the engine: it may be a FIFO, which has no positions to read at.
      raw = (isAddress(input) ? URI.create(input) : Path.of(input).toUri()).toURL().openStream();
    }
    InputStream buffered = new BufferedInputStream(raw, BUFFER_BYTES);
    buffered.mark(2);
    int first = buffered.read();
    int second = first < 0 ? first : buffered.read();
    buffered.reset();
    return first == GZIP_FIRST && second == GZIP_SECOND
        ? new GZIPInputStream(buffered, BUFFER_BYTES)
        : buffered;
  }

  private static final class Inputs implements RecordStream {
    private final InputSource source;
    private final List<String> share;
    private final ResumePoints resume;
    private int opened;
    private boolean repeatable;
    private long number;
    private @Nullable InputStream input;
    private @Nullable RecordParser parser;

    Inputs(InputSource source, List<String> share, ResumePoints resume) {
      this.source = source;
      this.share = share;
      this.resume = resume;
    }

    @Override
    public boolean next(Slice record) throws StorageException {
      try {
        while (true) {
          RecordParser reading = parser;
          if (reading != null && reading.next(record)) {
            number++;
            return true;
          }
          closeInput();
          if (opened == share.size()) {
            return false;
          }
          opened++;
          openInput(record);
        }
      } catch (IOException failure) {
        throw new DiskException(current(), "read", failure);
      }
    }

    private void openInput(Slice record) throws IOException {
      InputStream next = InputSource.open(current());
      input = next;
      RecordParser reading = RecordFormat.named(source.format).parser(next, source.types);
      parser = reading;
      repeatable = isRepeatable(current());
      number = 0;
      long passed = repeatable ? resume.of(current()) : 0;
      while (number < passed && reading.next(record)) {
        number++;
      }
    }

    @Override
    public String input() {
      return opened == 0 ? "" : current();
    }

    @Override
    public long number() {
      return repeatable ? number : 0;
    }

    @Override
    public String place() {
      RecordParser reading = parser;
      long line = reading == null ? 0 : reading.line();
      return opened == 0 ? "" : line == 0 ? current() : current() + ":" + line;
    }

    @Override
    public @Nullable String problem() {
      RecordParser reading = parser;
      return reading == null ? null : reading.problem();
    }

    @Override
    public boolean isWaiting() throws StorageException {
      RecordParser reading = parser;
      try {
        return reading != null && reading.isWaiting();
      } catch (IOException failure) {
        throw new DiskException(current(), "read", failure);
      }
    }

    private String current() {
      return share.get(opened - 1);
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
      try {
        closeInput();
      } catch (IOException unread) {
        // Everything that was wanted of it was read.
        assert parser == null;
      }
    }
  }
}
