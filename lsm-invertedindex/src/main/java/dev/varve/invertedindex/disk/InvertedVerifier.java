package dev.varve.invertedindex.disk;

import dev.varve.btree.disk.DiskTree;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageFile;
import dev.varve.invertedindex.postings.PostingList;
import dev.varve.invertedindex.postings.Window;
import dev.varve.invertedindex.token.TokenKey;

/** Reads every page of an index and checks every rule of docs/format/inverted.md. Used once. */
final class InvertedVerifier {
  private final PageFile file;
  private final Root root;
  private final Slice lastKey = new Slice();
  private final Window window = new Window();

  InvertedVerifier(PageFile file, Root root) {
    this.file = file;
    this.root = root;
  }

  long verify(DiskTree dictionary) throws StorageException {
    for (int i = 0; i < root.pages(); i++) {
      verifyDocuments(i);
    }
    long tokens = dictionary.verify();
    long postings = verifyLists(dictionary, tokens);
    if (postings != root.postings) {
      throw broken(0, "has " + postings + " postings, its root page says " + root.postings);
    }
    return root.documents + postings;
  }

  private void verifyDocuments(int index) throws StorageException {
    int number = root.firstPage + index;
    byte[] page = file.readUncached(number, Bytes.EMPTY);
    DocumentPage reader = new DocumentPage(file);
    reader.load(page, 0, number);
    int from = root.firstOrdinal(index);
    if (reader.first() != from || reader.count() != root.firstOrdinal(index + 1) - from) {
      throw broken(number, reader.count() + " documents from " + reader.first());
    }
    Slice key = new Slice();
    for (int i = 0; i < reader.count(); i++) {
      reader.viewKey(i, key);
      if (!TokenKey.isDocument(key)) {
        throw broken(number, "key of document " + i + " is that of a token");
      }
      if (from + i > 0 && lastKey.compareBytes(key) >= 0) {
        throw broken(number, "key of document " + i + " is not above the one before");
      }
      if (key.length() - 1 > Limits.maxPrimaryKeyBytes(file.pageSize())) {
        throw broken(number, "key of document " + i + " has " + key.length() + " bytes");
      }
      lastKey.copyOf(key);
    }
    requireZeros(page, reader.end(), number);
  }

  private long verifyLists(DiskTree dictionary, long tokens) throws StorageException {
    long postings = 0;
    long seen = 0;
    DiskPostings list = new DiskPostings(file, PostingPages.sequential(file, file.pageSize()));
    try (EntryCursor cursor = dictionary.scan()) {
      while (cursor.next()) {
        Slice token = cursor.entry().key();
        if (token.length() < 2 || token.length() != 1 + TokenKey.tokenBytes(token)) {
          throw broken(0, "token " + token + " does not have the length that it says");
        }
        if (cursor.entry().antimatter()) {
          throw broken(0, "token " + token + " is antimatter");
        }
        list.open(cursor.entry().value());
        postings += verifyList(list, token);
        seen++;
      }
    }
    if (seen != tokens) {
      throw broken(0, "dictionary of " + seen + " and of " + tokens + " tokens");
    }
    return postings;
  }

  private long verifyList(DiskPostings list, Slice token) throws StorageException {
    long found = 0;
    int last = -1;
    for (int number = list.seek(0); number != PostingList.END; number = list.seek(number + 1)) {
      last = number;
      window.clear();
      list.load(window);
      int positions = 0;
      int before = -1;
      int index = 0;
      int at = window.dense() ? window.next(0) : window.at(0);
      while (at < Window.SIZE) {
        if (at <= before || (number << Window.BITS) + at >= root.documents) {
          throw list.damagedHere("position " + at + " follows " + before + ", token " + token);
        }
        before = at;
        positions++;
        index++;
        at = window.dense() ? window.next(at + 1) : window.at(index);
      }
      if (positions != list.count()) {
        throw list.damagedHere(positions + " postings, " + list.count() + " stated: " + token);
      }
      found += positions;
    }
    if (found != list.documents()) {
      throw broken(0, "token " + token + " has " + found + " documents of " + list.documents());
    }
    if (!list.endsAt(last)) {
      throw broken(0, "token " + token + " ends with window " + last);
    }
    return found;
  }

  private void requireZeros(byte[] page, int from, int number) throws CorruptionException {
    for (int i = from; i < file.pageSize(); i++) {
      if (page[i] != 0) {
        throw broken(number, "bytes at the end");
      }
    }
  }

  private CorruptionException broken(int pageNumber, String problem) {
    long offset = pageNumber == 0 ? -1 : (long) pageNumber * file.pageSize();
    return new CorruptionException(file.name(), offset, problem);
  }
}
