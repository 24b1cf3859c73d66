package dev.varve.invertedindex.disk;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.disk.DiskTree;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageFile;
import dev.varve.invertedindex.postings.Matches;
import dev.varve.invertedindex.postings.PostingList;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.TokenKey;
import java.util.ArrayList;
import java.util.List;

/**
 * A bulk-loaded inverted index on the pages of a sealed file. Immutable and thread-safe; it does
 * not own the file, which stays open as long as the index is used.
 *
 * <p>Format: docs/format/inverted.md.
 */
public final class DiskInvertedIndex implements DiskIndex<TextQuery> {
  private final PageFile file;
  private final Root root;
  private final DiskTree dictionary;

  private DiskInvertedIndex(PageFile file, Root root, DiskTree dictionary) {
    this.file = file;
    this.root = root;
    this.dictionary = dictionary;
  }

  /**
   * Opens an index with entries, reading its root page and the interior pages of its dictionary.
   *
   * @param rootPage what {@link InvertedBuilder#finish} returned
   */
  public static DiskInvertedIndex open(PageFile file, int rootPage) throws StorageException {
    Root root = Root.read(file, rootPage);
    return new DiskInvertedIndex(file, root, DiskTree.open(file, root.dictionaryPage));
  }

  @Override
  public boolean find(Slice key, Entry found) throws StorageException {
    if (!TokenKey.isWellFormed(key)) {
      return false;
    }
    Slice document = new Slice();
    TokenKey.document(TokenKey.viewPrimaryKey(key, new Slice()), document);
    int ordinal;
    try (DocumentTable documents = new DocumentTable(file, root)) {
      ordinal = documents.find(document, new Slice());
    }
    if (ordinal < 0 || (!TokenKey.isDocument(key) && !hasToken(ordinal, key))) {
      return false;
    }
    found.key().copyOf(key);
    found.value().copyOf(key.bytes(), 0, 0);
    found.antimatter(false);
    return true;
  }

  private boolean hasToken(int ordinal, Slice key) throws StorageException {
    Entry place = new Entry();
    if (!dictionary.find(TokenKey.viewToken(key, new Slice()), place)) {
      return false;
    }
    DiskPostings postings = new DiskPostings(file, file::pin).open(place.value());
    return postings.contains(ordinal);
  }

  @Override
  @MustBeClosed
  public EntryCursor search(TextQuery query) throws StorageException {
    List<PostingList> lists = new ArrayList<>(query.tokenCount());
    Slice token = new Slice();
    for (int i = 0; i < query.tokenCount(); i++) {
      Entry place = new Entry();
      if (dictionary.find(query.viewToken(i, token), place)) {
        lists.add(new DiskPostings(file, file::pin).open(place.value()));
      }
    }
    return new SearchCursor(file, root, new Matches(lists, query.threshold()));
  }

  @Override
  @MustBeClosed
  public EntryCursor scan() {
    return new ScanCursor(file, root, dictionary);
  }

  @Override
  public long verify() throws StorageException {
    return new InvertedVerifier(file, root).verify(dictionary);
  }
}
