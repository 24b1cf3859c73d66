package dev.varve.common.testkit;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Draws what is left of a disk after a power loss. Confined to the crash that makes it.
 *
 * <p>Unforced bytes are kept or lost in units of 512 or 4096 bytes, each at any of the versions it
 * went through; the size is any that the file had since its last force; where the file grew and the
 * data is lost, zeros or garbage stand. Unforced directory changes are kept up to a point in time,
 * or each on its own; a rename is seen as old, as new, or (for files) as both names.
 */
final class CrashImage {
  /** A name that was given to a node, or taken away; one call's changes share a group. */
  record EntryChange(DirectoryNode directory, String name, @Nullable Node node, long group) {}

  private static final int SECTOR_BYTES = 512;
  private static final int BLOCK_BYTES = 4096;

  private final boolean everything;
  private final @Nullable RandomGenerator random;
  private final int unitBytes;
  private final double keepShare;
  private final boolean garbage;
  private final Map<Node, Node> copies = new HashMap<>();

  private CrashImage(boolean everything, @Nullable RandomGenerator random) {
    this.everything = everything;
    this.random = random;
    this.unitBytes = random == null || random.nextBoolean() ? SECTOR_BYTES : BLOCK_BYTES;
    this.keepShare = random == null ? 0 : random.nextInt(5) / 4.0;
    this.garbage = random != null && random.nextBoolean();
  }

  /** Image 0 keeps only what is durable, 1 everything, all others a part drawn at random. */
  static DirectoryNode draw(
      int image, RandomGenerator random, DirectoryNode root, List<EntryChange> changes) {
    CrashImage drawn = new CrashImage(image == 1, image < 2 ? null : random);
    return drawn.copyTree(root, changes);
  }

  private DirectoryNode copyTree(DirectoryNode root, List<EntryChange> changes) {
    Map<DirectoryNode, Map<String, Node>> entries = new HashMap<>();
    for (EntryChange change : keptOf(changes)) {
      Map<String, Node> names = entriesOf(entries, change.directory());
      if (change.node() == null) {
        names.remove(change.name());
      } else {
        names.put(change.name(), change.node());
      }
    }
    return copy(root, entries);
  }

  private static Map<String, Node> entriesOf(
      Map<DirectoryNode, Map<String, Node>> entries, DirectoryNode directory) {
    return entries.computeIfAbsent(directory, absent -> new TreeMap<>(absent.durable));
  }

  private List<EntryChange> keptOf(List<EntryChange> changes) {
    if (random == null || changes.isEmpty()) {
      return everything ? changes : List.of();
    }
    boolean ordered = random.nextBoolean();
    long lastGroup = changes.get(changes.size() - 1).group();
    long firstGroup = changes.get(0).group();
    long until = firstGroup + random.nextLong(lastGroup - firstGroup + 2);
    Map<Long, Boolean> keptGroups = new HashMap<>();
    List<EntryChange> kept = new ArrayList<>();
    for (EntryChange change : changes) {
      boolean keep =
          ordered
              ? change.group() < until
              : keptGroups.computeIfAbsent(change.group(), group -> random.nextBoolean());
      if (keep && !seenAsBoth(change, changes)) {
        kept.add(change);
      }
    }
    return kept;
  }

  /** Whether the old name of a renamed file stays, beside the new one. */
  private boolean seenAsBoth(EntryChange change, List<EntryChange> changes) {
    if (change.node() != null || random == null) {
      return false;
    }
    for (EntryChange other : changes) {
      if (other.group() == change.group() && other.node() instanceof FileNode) {
        return random.nextInt(4) == 0;
      }
    }
    return false;
  }

  private DirectoryNode copy(
      DirectoryNode original, Map<DirectoryNode, Map<String, Node>> entries) {
    DirectoryNode copy = new DirectoryNode();
    copies.put(original, copy);
    for (Map.Entry<String, Node> entry : entriesOf(entries, original).entrySet()) {
      Node node = copies.get(entry.getValue());
      if (node == null) {
        if (entry.getValue() instanceof FileNode file) {
          node = new FileNode(contentOf(file));
          copies.put(file, node);
        } else {
          node = copy((DirectoryNode) entry.getValue(), entries);
        }
      } else if (node instanceof DirectoryNode) {
        // Two forced directories name it, as after a rename of which one half is durable. A
        // directory has one name on every file system, and the first one found is as good.
        continue;
      }
      copy.live.put(entry.getKey(), node);
    }
    copy.durable.putAll(copy.live);
    return copy;
  }

  private Content contentOf(FileNode file) {
    Content content = file.durable.copy();
    if (random != null && !file.pending.isEmpty()) {
      drawContent(file, content);
    } else if (everything) {
      for (FileNode.Change change : file.pending) {
        change.applyTo(content);
      }
    }
    return content;
  }

  private void drawContent(FileNode file, Content content) {
    assert random != null;
    List<Long> sizes = new ArrayList<>(List.of(content.size()));
    Map<Long, Integer> versions = new TreeMap<>();
    for (int i = 0; i < file.pending.size(); i++) {
      FileNode.Change change = file.pending.get(i);
      long before = sizes.get(sizes.size() - 1);
      long after = change.cut() ? change.position() : Math.max(before, change.end());
      long touchedEnd = Math.max(change.end(), change.cut() ? before : 0);
      for (long unit = change.position() / unitBytes; unit * unitBytes < touchedEnd; unit++) {
        if (i < versions.computeIfAbsent(unit, touched -> drawVersion(file.pending.size()))) {
          applyWithin(change, content, unit);
        }
      }
      sizes.add(after);
    }
    long newest = sizes.get(sizes.size() - 1);
    long size = random.nextInt(4) == 0 ? sizes.get(random.nextInt(sizes.size())) : newest;
    content.resize(size);
    if (garbage) {
      fillLost(versions, file.durable.size(), content);
    }
  }

  /** How many of the changes the unit has seen: none, all, or some number in the middle. */
  private int drawVersion(int changes) {
    assert random != null;
    if (random.nextInt(8) == 0) {
      return random.nextInt(changes + 1);
    }
    return random.nextDouble() < keepShare ? changes : 0;
  }

  private void applyWithin(FileNode.Change change, Content content, long unit) {
    long from = Math.max(change.position(), unit * unitBytes);
    if (change.cut()) {
      long to = Math.min(content.size(), (unit + 1) * unitBytes);
      if (from < to) {
        content.clear(from, to);
      }
      return;
    }
    long to = Math.min(change.end(), (unit + 1) * unitBytes);
    content.write(from, change.bytes(), (int) (from - change.position()), (int) (to - from));
  }

  private void fillLost(Map<Long, Integer> versions, long durableSize, Content content) {
    assert random != null;
    for (Map.Entry<Long, Integer> unit : versions.entrySet()) {
      long from = Math.max(durableSize, unit.getKey() * unitBytes);
      long to = Math.min(content.size(), (unit.getKey() + 1) * unitBytes);
      if (unit.getValue() == 0 && from < to) {
        byte[] bytes = new byte[(int) (to - from)];
        random.nextBytes(bytes);
        content.write(from, bytes, 0, bytes.length);
      }
    }
  }
}
