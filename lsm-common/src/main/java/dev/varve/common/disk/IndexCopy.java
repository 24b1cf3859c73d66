package dev.varve.common.disk;

import dev.varve.common.component.ComponentId;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.ComponentFile;
import dev.varve.common.page.ComponentFileWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A copy of what an index at rest holds, under another number and in another store: each component
 * with what repairs have found of it, page by page and without a look at the entries, and the
 * manifest where there is one. Every page is checked, and gets the checksum that it has there. Used
 * once, by one thread.
 */
public final class IndexCopy {
  private final FileSystem files;
  private final IndexFiles.Place<?> source;
  private final IndexFiles.Place<?> target;
  private int components;
  private long bytes;

  /**
   * A copy that is to be made.
   *
   * @param source an index that nobody has open
   * @param target one of the same kind that nobody has open, whose directory is there; whatever is
   *     in that is deleted, as what an earlier copy has left
   */
  public IndexCopy(FileSystem files, IndexFiles.Place<?> source, IndexFiles.Place<?> target) {
    this.files = files;
    this.source = source;
    this.target = target;
    assert source.format().name().equals(target.format().name()) : target;
  }

  /**
   * Makes it; durable when this returns. When it throws, the target holds a part of it.
   *
   * @throws dev.varve.common.error.CorruptionException when something of the source is missing or
   *     damaged
   */
  public void run() throws StorageException {
    empty(files, target.directory());
    IndexFiles found = IndexFiles.find(files, source);
    found.checkEnds();
    for (String name : found.counted()) {
      copy(name, found.repairOf(name));
    }
    Manifest manifest = found.manifest();
    if (manifest != null) {
      new ManifestFile(files, target.directory(), target.storeId(), target.indexId())
          .write(manifest);
    }
    assert found.newestFlush() == IndexFiles.find(files, target).newestFlush() : target;
  }

  /**
   * Deletes all files in the directory of an index that nobody has open, durably; the components as
   * the last, so that {@link #isEmpty} holds when nothing is left.
   */
  public static void empty(FileSystem files, Path directory) throws StorageException {
    for (Path left : files.list(directory)) {
      if (!isComponent(left)) {
        files.delete(left);
      }
    }
    files.forceDirectory(directory);
    for (Path left : files.list(directory)) {
      files.delete(left);
    }
    files.forceDirectory(directory);
  }

  /** Whether no component is in the directory of an index. */
  public static boolean isEmpty(FileSystem files, Path directory) throws StorageException {
    return files.list(directory).stream().noneMatch(IndexCopy::isComponent);
  }

  private static boolean isComponent(Path path) {
    return path.toString().endsWith(ComponentFileWriter.SEALED_SUFFIX);
  }

  private void copy(String name, @Nullable String repair) throws StorageException {
    Path from = source.directory().resolve(name);
    Path to = target.directory().resolve(name);
    ComponentFile.Ends ends = ComponentFile.readEnds(files, from, source.storeId());
    ComponentId id = ComponentMetadata.decode(ends.metadata().toByteArray(), from.toString()).id();
    long fileId = new ComponentName(id, DirectoryPlan.numberOf(name)).fileId(target.indexId());
    long size =
        ComponentFile.copy(
            files,
            from,
            source.storeId(),
            new ComponentFile.Identity(to, target.storeId(), fileId));
    components++;
    bytes += size;
    if (repair != null) {
      Repair found =
          new RepairFile(from.resolveSibling(repair), source.storeId(), ends.fileId(), size)
              .read(files);
      new RepairFile(to.resolveSibling(repair), target.storeId(), fileId, size).write(files, found);
    }
  }

  /** How many components were copied. */
  public int components() {
    return components;
  }

  /** Bytes of their files. */
  public long bytes() {
    return bytes;
  }
}
