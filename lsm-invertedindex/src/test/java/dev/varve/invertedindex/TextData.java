package dev.varve.invertedindex;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.KeywordTokenizer;
import dev.varve.invertedindex.token.NGramTokenizer;
import dev.varve.invertedindex.token.TokenSink;
import dev.varve.invertedindex.token.Tokenizer;
import java.util.random.RandomGenerator;

/** Texts of different kinds, with the tokenizer that suits them. */
public enum TextData {
  /** A few words over and over, so that every list is long. */
  FEW_WORDS(0) {
    @Override
    public String next(RandomGenerator random) {
      return words(random, 12, 6);
    }
  },
  /** Some frequent words, many rare ones. */
  SKEWED_WORDS(0) {
    @Override
    public String next(RandomGenerator random) {
      return words(random, 5000, 20);
    }
  },
  /** Pairs of characters of some scripts. */
  BIGRAMS(2) {
    @Override
    public String next(RandomGenerator random) {
      return characters(random, 9);
    }
  },
  /** Runs of three letters. */
  TRIGRAMS(3) {
    @Override
    public String next(RandomGenerator random) {
      return words(random, 300, 5);
    }
  },
  /** What stands between commas, by a tokenizer that the product does not have. */
  LABELS(0) {
    @Override
    public String next(RandomGenerator random) {
      return words(random, 40, 9);
    }

    @Override
    public Tokenizer tokenizer() {
      return new LabelTokenizer();
    }
  };

  private record LabelTokenizer() implements Tokenizer {
    @Override
    public String name() {
      return "labels";
    }

    @Override
    public void tokenize(Slice text, TokenSink sink) {
      int end = text.offset() + text.length();
      int start = text.offset();
      for (int at = start; at <= end; at++) {
        if (at == end || text.bytes()[at] == ',') {
          if (at > start) {
            sink.accept(text.bytes(), start, at - start);
          }
          start = at + 1;
        }
      }
    }
  }

  private static final String[] CHARACTERS = {
    "a", "B", "c", " ", "é", "É", "ß", "日", "本", "\uD83D\uDE00", "\uD801\uDC00", "\0", "1", "-"
  };

  /** Characters of an n-gram; 0 for words. */
  private final int characters;

  TextData(int characters) {
    this.characters = characters;
  }

  /** What takes these texts apart. */
  public Tokenizer tokenizer() {
    return characters == 0 ? new KeywordTokenizer() : new NGramTokenizer(characters);
  }

  /** Some text, now and then an empty one. */
  public abstract String next(RandomGenerator random);

  private static String words(RandomGenerator random, int vocabulary, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      // Low numbers come much more often.
      int word = (int) (vocabulary * Math.pow(random.nextDouble(), 4));
      text.append(Integer.toString(word * 7919 % vocabulary, 36)).append(i % 3 == 0 ? ", " : " ");
    }
    return text.toString();
  }

  private static String characters(RandomGenerator random, int most) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      text.append(CHARACTERS[random.nextInt(CHARACTERS.length)]);
    }
    return text.toString();
  }

  /** All, any or some of the tokens of a text; null when it has none. */
  public TextQuery query(String text, RandomGenerator random) throws StorageException {
    Tokenizer tokenizer = tokenizer();
    if (new TextModel(tokenizer).tokens(text).isEmpty()) {
      return null;
    }
    return switch (random.nextInt(3)) {
      case 0 -> TextQuery.allWords(tokenizer, text);
      case 1 -> TextQuery.anyWord(tokenizer, text);
      default -> TextQuery.atLeast(tokenizer, text, 1 + random.nextInt(5));
    };
  }
}
