package dev.varve.common.page;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A sealed component file. Opening checks the header page and the metadata page; every other page
 * is checked when it is read from disk, always. Thread-safe; the opener closes it once nobody reads
 * any more.
 *
 * <p>Format: docs/format/page-file.md.
 */
public final class ComponentFile extends PageTable implements PageFile {
  private static final int VERIFY_BYTES = 1 << 20;

  private final PageReader reader;
  private final PageCache cache;
  private final FileHeader header;
  private final MetadataPage metadata;

  private ComponentFile(
      StorageFile file, PageCache cache, FileHeader header, MetadataPage metadata) {
    super(metadata.pageNumber());
    this.reader = new PageReader(file, header, metadata.pageNumber());
    this.cache = cache;
    this.header = header;
    this.metadata = metadata;
  }

  /**
   * Opens a sealed file.
   *
   * @param storeId the store that the file must belong to
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the result owns the opened file
  public static ComponentFile open(FileSystem files, Path path, long storeId, PageCache cache)
      throws StorageException {
    StorageFile file = files.open(path, OpenMode.READ_ONLY);
    ComponentFile opened = null;
    try {
      FileHeader header = FileHeader.read(file, storeId);
      opened = new ComponentFile(file, cache, header, MetadataPage.read(file, header));
      cache.expect(opened);
      return opened;
    } finally {
      if (opened == null) {
        file.close();
      }
    }
  }

  /**
   * What the first and the last page of a file say of it.
   *
   * @param fileId identity of the file in its store
   * @param metadata what {@link ComponentFileWriter#seal} was given
   */
  public record Ends(long fileId, Slice metadata) {}

  /** Checks the first and the last page of a sealed file, and keeps nothing open. */
  public static Ends readEnds(FileSystem files, Path path, long storeId) throws StorageException {
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      FileHeader header = FileHeader.read(file, storeId);
      return new Ends(header.fileId(), new Slice(MetadataPage.read(file, header).bytes().clone()));
    }
  }

  /**
   * Reads every page of a sealed file from disk and checks it, and keeps nothing open.
   *
   * @throws CorruptionException naming the first page that is damaged
   */
  public static void readThrough(FileSystem files, Path path, long storeId)
      throws StorageException {
    try (StorageFile file = files.open(path, OpenMode.READ_ONLY)) {
      FileHeader header = FileHeader.read(file, storeId);
      int end = MetadataPage.read(file, header).pageNumber();
      readThrough(new PageReader(file, header, end), end);
    }
  }

  private static void readThrough(PageReader reader, int end) throws StorageException {
    reader.verifyHeaderAndMetadata();
    SequentialReader sequential = new ReadAhead(reader, VERIFY_BYTES);
    byte[] page = Bytes.EMPTY;
    for (int number = 1; number < end; ) {
      page = sequential.read(number, page);
      number += page[PageLayout.UNITS] & 0xFF;
    }
  }

  /**
   * A file and what it is called by.
   *
   * @param path where it is
   * @param storeId the store that it belongs to
   * @param fileId identity of the file in its store
   */
  public record Identity(Path path, long storeId, long fileId) {}

  /**
   * Copies a sealed file into another store, page by page: each is checked, and written with the
   * checksum that it has there. Durable when this returns; when it throws, the copy is not there.
   *
   * @param storeId the store that the file must belong to
   * @return bytes of either file
   * @throws CorruptionException naming the first page that is damaged
   */
  public static long copy(FileSystem files, Path source, long storeId, Identity target)
      throws StorageException {
    try (StorageFile file = files.open(source, OpenMode.READ_ONLY)) {
      FileHeader header = FileHeader.read(file, storeId);
      MetadataPage metadata = MetadataPage.read(file, header);
      ComponentFileOptions options =
          ComponentFileOptions.of(target.storeId(), header.pageSize(), target.fileId());
      int end = metadata.pageNumber();
      SequentialReader reader = new ReadAhead(new PageReader(file, header, end), VERIFY_BYTES);
      try (ComponentFileWriter writer = ComponentFileWriter.create(files, target.path(), options)) {
        byte[] page = Bytes.EMPTY;
        for (int number = 1; number < end; number = writer.nextPage()) {
          page = reader.read(number, page);
          writer.append(page[PageLayout.KIND], page, page[PageLayout.UNITS] & 0xFF);
        }
        writer.seal(metadata.bytes());
        assert writer.writtenBytes() == file.size() : target;
        return writer.writtenBytes();
      }
    }
  }

  @Override
  public String name() {
    return reader.name();
  }

  @Override
  public int pageSize() {
    return header.pageSize();
  }

  @Override
  public int pageCount() {
    return metadata.pageNumber() + metadata.units();
  }

  /** Bytes of the file. */
  public long sizeBytes() {
    return (long) pageCount() * header.pageSize();
  }

  /**
   * How many of its bytes the buffer cache has for readers who asked for them. Visits every page's
   * frame.
   */
  public long wantedBytes() {
    return askedForBytes();
  }

  /** Numbers of the pages that the buffer cache has, by units. Visits every page's frame. */
  public BitSet cachedPages() {
    return cachedPages(header.pageSize());
  }

  /** Identity of the file in its store, as given when it was written. */
  public long fileId() {
    return header.fileId();
  }

  /** A copy of what {@link ComponentFileWriter#seal} was given. */
  public byte[] metadata() {
    return metadata.bytes().clone();
  }

  @MustBeClosed
  @Override
  public Page pin(int pageNumber) throws StorageException {
    Frame frame = pinFrame(pageNumber);
    return PageCache.CHECKED ? new CheckedPin(frame) : frame;
  }

  @Override
  public @Nullable Stamp stamp(int pageNumber) {
    return contains(pageNumber) ? frame(pageNumber) : null;
  }

  @Override
  public byte @Nullable [] optimisticBytes(int pageNumber) {
    return bytes(pageNumber);
  }

  @Override
  public int optimisticAt(int pageNumber) {
    return at(pageNumber);
  }

  @Override
  public boolean validate(int pageNumber, Stamp stamp) {
    // Keeps the reads of bytes before that of the table. A frame is taken out of it, by a full
    // fence, before anything is written to its bytes, and is never put in again: so if it is there
    // now it always was.
    VarHandle.acquireFence();
    if (frame(pageNumber) != stamp) {
      return false;
    }
    markRead(pageNumber);
    cache.countOptimisticHit();
    return true;
  }

  @Override
  public @Nullable View tryHold(int pageNumber) throws StorageException {
    Frame frame = pinFrame(pageNumber);
    try {
      return cache.shard(this, pageNumber).tryHold(frame) ? frame : null;
    } finally {
      frame.close();
    }
  }

  @Override
  public byte[] readUncached(int pageNumber, byte[] buffer) throws StorageException {
    requireOpen();
    return reader.read(pageNumber, buffer);
  }

  @Override
  public SequentialReader sequentialReader(int readAheadBytes) {
    requireOpen();
    return new ReadAhead(reader, readAheadBytes, this);
  }

  /**
   * Brings units into the system's cache, unchecked.
   *
   * @param mostUnits how many, unless the file ends before
   * @return the unit behind them; {@link #pageCount} at the end of the file
   */
  int prefetch(int firstUnit, int mostUnits) throws StorageException {
    requireOpen();
    int units = Math.min(mostUnits, pageCount() - firstUnit);
    reader.prefetch(firstUnit, units);
    return firstUnit + units;
  }

  /**
   * Reads every page from disk and checks it.
   *
   * @throws CorruptionException naming the first page that is damaged
   */
  public void verify() throws StorageException {
    requireOpen();
    readThrough(reader, metadata.pageNumber());
  }

  /** Forgets the file's pages and closes it; idempotent. Nobody may have a page pinned. */
  @Override
  public void close() {
    if (refusesPages()) {
      return;
    }
    int pins = cache.dropAll(this);
    reader.close();
    assert pins == 0 : name() + " was closed with " + pins + " pins";
  }

  private Frame pinFrame(int pageNumber) throws StorageException {
    if (!contains(pageNumber)) {
      throw reader.noSuchPage(pageNumber);
    }
    Frame frame = frame(pageNumber);
    return frame != null && frame.tryPin() ? frame : load(pageNumber);
  }

  private Frame load(int pageNumber) throws StorageException {
    Frame frame = loadInTurn(pageNumber);
    boolean complete = false;
    try {
      cache.readBehind(this, frame);
      complete = true;
      return frame;
    } finally {
      if (!complete) {
        frame.close();
      }
    }
  }

  private Frame loadInTurn(int pageNumber) throws StorageException {
    Semaphore turn = cache.awaitTurn();
    try {
      return loadAlone(pageNumber);
    } finally {
      if (turn != null) {
        turn.release();
      }
    }
  }

  private Frame loadAlone(int pageNumber) throws StorageException {
    ReentrantLock loading = cache.loadingLock(this, pageNumber);
    loading.lock();
    try {
      // Somebody may have read the page since; a frame found dead here is on its way out.
      Frame present = frame(pageNumber);
      if (present != null && present.tryPin()) {
        return present;
      }
      requireOpen();
      Frame fresh = Frame.pinned(this, pageNumber, readIntoCache(pageNumber));
      if (!cache.shard(this, pageNumber).insert(fresh)) {
        throw closedAlready();
      }
      return fresh;
    } finally {
      loading.unlock();
    }
  }

  private PageBuffer readIntoCache(int pageNumber) throws StorageException {
    CacheShard shard = cache.shard(this, pageNumber);
    PageBuffer buffer = shard.take(1, header.pageSize());
    boolean complete = false;
    try {
      int units = reader.readFirstUnit(pageNumber, buffer.bytes(), buffer.at());
      if (units > 1) {
        PageBuffer first = buffer;
        buffer = shard.take(units, header.pageSize());
        System.arraycopy(first.bytes(), first.at(), buffer.bytes(), buffer.at(), first.length());
        shard.giveBack(first);
        reader.readFurtherUnits(pageNumber, units, buffer.bytes(), buffer.at());
      }
      reader.check(pageNumber, units, buffer.bytes(), buffer.at());
      complete = true;
      return buffer;
    } finally {
      if (!complete) {
        shard.giveBack(buffer);
      }
    }
  }

  PageReader reader() {
    return reader;
  }

  /**
   * Puts a copy of a page that was read ahead into the cache, unless there is no room for it, it is
   * there, or somebody is about to read it.
   *
   * @param source where the page stands, unchecked
   */
  void offer(int pageNumber, byte[] source, int offset, int length) throws CorruptionException {
    CacheShard shard = cache.shard(this, pageNumber);
    int units = length / header.pageSize();
    // Before the lock, which others wait for: there may be no memory yet.
    PageBuffer buffer = has(pageNumber) ? null : shard.takeIfRoom(units, header.pageSize());
    if (buffer == null) {
      return;
    }
    boolean used = false;
    ReentrantLock loading = cache.loadingLock(this, pageNumber);
    boolean locked = loading.tryLock();
    try {
      if (locked && !has(pageNumber)) {
        System.arraycopy(source, offset, buffer.bytes(), buffer.at(), length);
        reader.check(pageNumber, units, buffer.bytes(), buffer.at());
        used = true;
        shard.insert(Frame.readAhead(this, pageNumber, buffer));
      }
    } finally {
      if (locked) {
        loading.unlock();
      }
      if (!used) {
        shard.giveBack(buffer);
      }
    }
  }

  @Override
  public @Nullable Fetch fetch(int[] pages) {
    return cache.fetch(this::fetchOne, pages, header.pageSize());
  }

  @Override
  public @Nullable Fetch fetchAtOpening(int[] pages) {
    return pages.length < 2 ? null : cache.fetchAtOpening(this::fetchOne, pages, header.pageSize());
  }

  /** Reads a page for somebody who is about to ask for it, unless it is there or being read. */
  private void fetchOne(int pageNumber) {
    ReentrantLock loading = cache.loadingLock(this, pageNumber);
    if (!loading.tryLock()) {
      return;
    }
    try {
      if (!has(pageNumber)) {
        PageBuffer page = readIntoCache(pageNumber);
        cache.shard(this, pageNumber).insert(Frame.fetched(this, pageNumber, page));
      }
    } catch (StorageException notAskedFor) {
      // The one who asks for the page reads it again, and gets the error.
    } finally {
      loading.unlock();
    }
  }

  private void requireOpen() {
    if (refusesPages()) {
      throw closedAlready();
    }
  }

  private IllegalStateException closedAlready() {
    return new IllegalStateException(name() + " is closed");
  }
}
