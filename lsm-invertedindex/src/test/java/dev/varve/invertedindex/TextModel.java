package dev.varve.invertedindex;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.TokenKey;
import dev.varve.invertedindex.token.Tokenizer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** What an inverted index must hold, and what it must answer, found by looking at every text. */
public final class TextModel {
  private final Tokenizer tokenizer;
  private final TreeMap<String, String> texts = new TreeMap<>();

  /** An empty model. */
  public TextModel(Tokenizer tokenizer) {
    this.tokenizer = tokenizer;
  }

  /** A document's entry, or antimatter when the text is null. */
  public static Entry entry(String primaryKey, String text) {
    Entry entry = new Entry();
    TokenKey.document(utf8(primaryKey), entry.key());
    if (text != null) {
      byte[] value = text.getBytes(StandardCharsets.UTF_8);
      entry.value().set(value, 0, value.length);
    }
    return entry.antimatter(text == null);
  }

  /** A text's bytes. */
  public static Slice utf8(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The text whose bytes these are. */
  public static String text(Slice bytes) {
    return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
  }

  /** Puts a document, or deletes it when the text is null, and returns the entry to write. */
  public Entry put(String primaryKey, String text) {
    if (text == null) {
      texts.remove(primaryKey);
    } else {
      texts.put(primaryKey, text);
    }
    return entry(primaryKey, text);
  }

  /** Whether there is a document. */
  public boolean has(String primaryKey) {
    return texts.containsKey(primaryKey);
  }

  /** Some text that is there, or a word. */
  public String anyText(RandomGenerator random) {
    List<String> all = List.copyOf(texts.values());
    return all.isEmpty() ? "word" : all.get(random.nextInt(all.size()));
  }

  /** The distinct tokens of a text, as hexadecimal digits. */
  public Set<String> tokens(String text) {
    Set<String> tokens = new TreeSet<>();
    tokenizer.tokenize(
        utf8(text),
        (bytes, offset, length) ->
            tokens.add(HexFormat.of().formatHex(bytes, offset, offset + length)));
    return tokens;
  }

  /** Primary keys of the documents that have so many of a text's tokens. */
  public List<String> atLeast(String text, int threshold) {
    Set<String> wanted = tokens(text);
    List<String> found = new ArrayList<>();
    texts.forEach(
        (primaryKey, candidate) -> {
          Set<String> shared = tokens(candidate);
          shared.retainAll(wanted);
          if (shared.size() >= threshold) {
            found.add(primaryKey);
          }
        });
    return found;
  }

  /** All entries that an index must hold, in the order of their keys. */
  public List<Entry> entries() {
    TreeMap<byte[], Entry> entries = new TreeMap<>(Arrays::compareUnsigned);
    texts.forEach(
        (primaryKey, text) -> {
          Entry document = entry(primaryKey, "");
          entries.put(document.key().toByteArray(), document);
          for (String token : tokens(text)) {
            byte[] tokenBytes = HexFormat.of().parseHex(token);
            byte[] id = primaryKey.getBytes(StandardCharsets.UTF_8);
            byte[] key = new byte[1 + tokenBytes.length + id.length];
            key[0] = (byte) tokenBytes.length;
            System.arraycopy(tokenBytes, 0, key, 1, tokenBytes.length);
            System.arraycopy(id, 0, key, 1 + tokenBytes.length, id.length);
            Entry entry = new Entry();
            entry.key().set(key, 0, key.length);
            entries.put(key, entry);
          }
        });
    return List.copyOf(entries.values());
  }

  /** Checks that a search finds what looking at all texts finds, in order; closes the cursor. */
  public void assertFinds(String text, TextQuery query, EntryCursor opened)
      throws StorageException {
    assertEquals(atLeast(text, query.threshold()), primaryKeys(opened), () -> query + ": " + text);
  }

  /** The primary keys of the documents that a cursor returns; closes it. */
  public static List<String> primaryKeys(EntryCursor opened) throws StorageException {
    List<String> found = new ArrayList<>();
    Slice view = new Slice();
    try (EntryCursor cursor = opened) {
      while (cursor.next()) {
        found.add(text(TokenKey.viewPrimaryKey(cursor.entry().key(), view)));
      }
    }
    return found;
  }

  /** The entries that a cursor returns, as text; closes it. */
  public static List<String> read(EntryCursor opened) throws StorageException {
    List<String> found = new ArrayList<>();
    try (EntryCursor cursor = opened) {
      while (cursor.next()) {
        found.add(cursor.entry().toString());
      }
    }
    return found;
  }
}
