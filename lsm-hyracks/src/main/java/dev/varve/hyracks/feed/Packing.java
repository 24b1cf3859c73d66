package dev.varve.hyracks.feed;

import dev.varve.common.error.DiskException;
import io.airlift.compress.zstd.ZstdInputStream;
import io.airlift.compress.zstd.ZstdOutputStream;
import java.io.BufferedInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Compressions of inputs, seen by their first bytes, and of outputs, by their names. No state. */
final class Packing {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int[] GZIP = {0x1F, 0x8B};
  private static final int[] ZSTD = {0x28, 0xB5, 0x2F, 0xFD};
  private static final String GZIP_ENDING = ".gz";
  private static final String ZSTD_ENDING = ".zst";

  private Packing() {}

  /**
   * What an input holds, taken out of gzip or zstd where it begins as those do. The library for
   * zstd throws a {@code MalformedInputException} while reading, which is unchecked.
   *
   * @param raw closed on failure
   * @param name of the input
   */
  static InputStream unpacked(InputStream raw, String name) throws DiskException {
    InputStream buffered = new BufferedInputStream(raw, BUFFER_BYTES);
    try {
      if (begins(buffered, GZIP)) {
        return new GZIPInputStream(buffered, BUFFER_BYTES);
      }
      return begins(buffered, ZSTD) ? new ZstdInputStream(buffered) : buffered;
    } catch (IOException unread) {
      try {
        buffered.close();
      } catch (IOException unclosed) {
        unread.addSuppressed(unclosed);
      }
      throw new DiskException(name, "read", unread);
    }
  }

  /** Looks at no more bytes than it takes: the next ones of a pipe may be long in coming. */
  private static boolean begins(InputStream input, int[] magic) throws IOException {
    assert input.markSupported() : input;
    input.mark(magic.length);
    int same = 0;
    while (same < magic.length && input.read() == magic[same]) {
      same++;
    }
    input.reset();
    return same == magic.length;
  }

  /**
   * Packs what goes into a file, where its name ends with {@code .gz} or {@code .zst}.
   *
   * @param file stays open when the result is closed, which writes what is left
   */
  static OutputStream packed(OutputStream file, String name) throws DiskException {
    OutputStream open = new LeftOpen(file);
    try {
      if (name.endsWith(GZIP_ENDING)) {
        return new GZIPOutputStream(open, BUFFER_BYTES);
      }
      return name.endsWith(ZSTD_ENDING) ? new ZstdOutputStream(open) : open;
    } catch (IOException unwritten) {
      throw new DiskException(name, "write", unwritten);
    }
  }

  /** A name without the ending of those. */
  static String unpackedName(String name) {
    for (String ending : List.of(GZIP_ENDING, ZSTD_ENDING)) {
      if (name.endsWith(ending)) {
        return name.substring(0, name.length() - ending.length());
      }
    }
    return name;
  }

  private static final class LeftOpen extends FilterOutputStream {
    LeftOpen(OutputStream output) {
      super(output);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      assert offset >= 0 && length <= bytes.length - offset : offset + " " + length;
      try {
        out.write(bytes, offset, length);
      } catch (IOException unwritten) {
        throw new UncheckedIOException(unwritten);
      }
    }

    @Override
    public void close() {
      // Whoever has opened the file forces and closes it.
    }
  }
}
