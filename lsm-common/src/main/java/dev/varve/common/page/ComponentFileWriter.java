package dev.varve.common.page;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Writes a component file: {@code c.building} while it grows, {@code c.lsm} once it is sealed. A
 * file that is closed unsealed is deleted. After the first failure every append and seal fails with
 * it, and only {@link #abort} or {@link #close} remain. Confined to one task.
 *
 * <p>Format: docs/format/page-file.md.
 */
public final class ComponentFileWriter implements PageFileWriter, AutoCloseable {
  /** Ending of the name of a sealed file. */
  public static final String SEALED_SUFFIX = ".lsm";

  /** Ending of the name of a file that is being written; one found at open is garbage. */
  public static final String BUILDING_SUFFIX = ".building";

  /** Learns of pages. */
  @FunctionalInterface
  public interface Listener {
    /**
     * A page was appended.
     *
     * @param page what will stand in the file; the writer's caller goes on with it
     */
    void appended(int pageNumber, byte[] page, int length);
  }

  private enum State {
    BUILDING,
    SEALED,
    ABORTED
  }

  private final FileSystem files;
  private final Path sealedPath;
  private final Path buildingPath;
  private final ComponentFileOptions options;
  private final StorageFile file;
  private final int maxBufferBytes;
  private final Crc32c checksum = new Crc32c();
  private State state = State.BUILDING;

  /**
   * At most twice as long as what was written so far: files that are small, and merges that wait,
   * come by the hundred.
   */
  private byte[] buffer;

  private @Nullable StorageException failure;
  private Listener listener = (pageNumber, page, length) -> {};
  private int nextPage;
  private int buffered;
  private long flushedBytes;
  private long forcedBytes;

  /** Whether the file may have its sealed name already, although nobody was told. */
  private boolean renaming;

  private ComponentFileWriter(
      FileSystem files, Path sealedPath, ComponentFileOptions options, StorageFile file) {
    this.files = files;
    this.sealedPath = sealedPath;
    this.buildingPath = file.path();
    this.options = options;
    this.file = file;
    this.maxBufferBytes = Math.max(options.bufferBytes(), options.pageSize());
    this.buffer = new byte[options.pageSize()];
  }

  /**
   * Creates the file under its building name and writes its header page.
   *
   * @param sealedPath name that the file gets when it is sealed, with {@link #SEALED_SUFFIX}
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the result owns the opened file
  public static ComponentFileWriter create(
      FileSystem files, Path sealedPath, ComponentFileOptions options) throws StorageException {
    Path building = buildingPath(sealedPath);
    OpenMode mode = options.direct() ? OpenMode.CREATE_NEW_DIRECT : OpenMode.CREATE_NEW;
    ComponentFileWriter writer =
        new ComponentFileWriter(files, sealedPath, options, files.open(building, mode));
    writer.bufferHeader();
    return writer;
  }

  private static Path buildingPath(Path sealedPath) {
    String name = String.valueOf(sealedPath.getFileName());
    if (!name.endsWith(SEALED_SUFFIX)) {
      throw new IllegalArgumentException(sealedPath + " does not end with " + SEALED_SUFFIX);
    }
    String stem = name.substring(0, name.length() - SEALED_SUFFIX.length());
    return sealedPath.resolveSibling(stem + BUILDING_SUFFIX);
  }

  /** Has a listener learn of each page that is appended from now on. */
  public void tell(Listener newListener) {
    listener = newListener;
  }

  @Override
  public int pageSize() {
    return options.pageSize();
  }

  @Override
  public int nextPage() {
    return nextPage;
  }

  @Override
  public long writtenBytes() {
    return flushedBytes + buffered;
  }

  @Override
  public int append(byte kind, byte[] page, int units) throws StorageException {
    if (units < 1 || units > PageLayout.MAX_UNITS) {
      throw new IllegalArgumentException("a page of " + units + " units");
    }
    int length = units * options.pageSize();
    if (page.length < length) {
      throw new IllegalArgumentException(
          "a page of " + units + " units in a buffer of " + page.length + " bytes");
    }
    requireBuilding();
    if (nextPage > Integer.MAX_VALUE - 2 * PageLayout.MAX_UNITS) {
      throw new LimitException("pages in a component file", nextPage, Integer.MAX_VALUE);
    }
    int number = nextPage;
    page[PageLayout.KIND] = kind;
    page[PageLayout.UNITS] = (byte) units;
    Bytes.putShort(page, PageLayout.RESERVED, 0);
    checksum.reset().update(page, PageLayout.KIND, length - PageLayout.KIND);
    checksum.updateLong(options.fileId()).updateInt(number);
    Bytes.putInt(page, PageLayout.CRC, checksum.value());
    write(page, length);
    listener.appended(number, page, length);
    nextPage += units;
    assert writtenBytes() == (long) nextPage * options.pageSize();
    return number;
  }

  /**
   * Writes the metadata page, makes the file durable and gives it its sealed name. When this
   * returns the component is there for good; when it throws, {@link #abort} removes all traces.
   *
   * @param metadata bytes that {@link ComponentFile#metadata} returns
   */
  public void seal(byte[] metadata) throws StorageException {
    requireBuilding();
    long units = ComponentFileLayout.metadataUnits(metadata.length, options.pageSize());
    if (units > PageLayout.MAX_UNITS) {
      throw new LimitException(
          "metadata bytes",
          metadata.length,
          (long) PageLayout.MAX_UNITS * options.pageSize()
              - ComponentFileLayout.METADATA
              - ComponentFileLayout.UNITS_FROM_END);
    }
    byte[] page = new byte[(int) units * options.pageSize()];
    page[ComponentFileLayout.VALIDITY] = ComponentFileLayout.VALID;
    Bytes.putInt(page, ComponentFileLayout.METADATA_LENGTH, metadata.length);
    Bytes.putLong(page, ComponentFileLayout.METADATA_PAGE_NUMBER, nextPage);
    System.arraycopy(metadata, 0, page, ComponentFileLayout.METADATA, metadata.length);
    Bytes.putInt(page, page.length - ComponentFileLayout.UNITS_FROM_END, (int) units);
    Bytes.putInt(
        page,
        page.length - ComponentFileLayout.END_MAGIC_FROM_END,
        ComponentFileLayout.END_MAGIC_VALUE);
    append(PageLayout.KIND_METADATA, page, (int) units);
    try {
      flush();
      file.force();
      file.close();
      renaming = true;
      files.rename(buildingPath, sealedPath);
      files.forceDirectory(directory());
    } catch (DiskException e) {
      failure = e;
      throw e;
    }
    state = State.SEALED;
  }

  /** Gives the file up and removes it; does nothing when it is sealed or aborted. */
  public void abort() throws StorageException {
    if (state != State.BUILDING) {
      return;
    }
    state = State.ABORTED;
    file.close();
    if (files.exists(buildingPath)) {
      files.delete(buildingPath);
    }
    if (renaming && files.exists(sealedPath)) {
      // Forced, lest the name comes back after a crash beside what was made in its place.
      files.delete(sealedPath);
      files.forceDirectory(directory());
    }
  }

  /** Aborts unless the file is sealed. */
  @Override
  public void close() throws StorageException {
    abort();
  }

  private Path directory() {
    Path parent = sealedPath.getParent();
    return parent == null ? sealedPath.resolveSibling("") : parent;
  }

  private void requireBuilding() throws StorageException {
    if (failure != null) {
      throw failure;
    }
    if (state != State.BUILDING) {
      throw new IllegalStateException(sealedPath + " is " + state);
    }
  }

  private void bufferHeader() {
    int pageSize = options.pageSize();
    Bytes.putLong(buffer, ComponentFileLayout.MAGIC, ComponentFileLayout.MAGIC_VALUE);
    Bytes.putShort(buffer, ComponentFileLayout.FILE_KIND, ComponentFileLayout.KIND_COMPONENT);
    Bytes.putShort(buffer, ComponentFileLayout.VERSION, ComponentFileLayout.CURRENT_VERSION);
    Bytes.putShort(buffer, ComponentFileLayout.OLDEST_READER, ComponentFileLayout.CURRENT_VERSION);
    Bytes.putLong(buffer, ComponentFileLayout.STORE_ID, options.storeId());
    Bytes.putLong(buffer, ComponentFileLayout.FILE_ID, options.fileId());
    Bytes.putInt(buffer, ComponentFileLayout.PAGE_SIZE, pageSize);
    Bytes.putInt(
        buffer,
        ComponentFileLayout.HEADER_CRC,
        Crc32c.of(buffer, 0, ComponentFileLayout.HEADER_CRC));
    buffered = pageSize;
    nextPage = 1;
  }

  private void write(byte[] page, int length) throws StorageException {
    try {
      if (length > buffer.length - buffered) {
        makeRoom(length);
      }
      if (length > buffer.length) {
        file.write(flushedBytes, page, 0, length);
        flushedBytes += length;
      } else {
        System.arraycopy(page, 0, buffer, buffered, length);
        buffered += length;
      }
      if (flushedBytes - forcedBytes >= options.forceEveryBytes()) {
        file.force();
        forcedBytes = flushedBytes;
      }
    } catch (DiskException e) {
      failure = e;
      throw e;
    }
  }

  private void makeRoom(int length) throws DiskException {
    if (buffered + length <= maxBufferBytes) {
      int doubled = Math.max(2 * buffer.length, buffered + length);
      buffer = Arrays.copyOf(buffer, Math.min(doubled, maxBufferBytes));
    } else {
      flush();
    }
  }

  private void flush() throws DiskException {
    file.write(flushedBytes, buffer, 0, buffered);
    flushedBytes += buffered;
    buffered = 0;
  }
}
