package dev.varve.btree;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Families of keys that are hard for heads and prefixes in different ways. */
public enum KeyShape {
  /** Sixteen bytes without structure: heads tell all keys apart. */
  UNIFORM {
    @Override
    public byte[] key(RandomGenerator random) {
      byte[] key = new byte[16];
      random.nextBytes(key);
      return key;
    }
  },
  /** A tag and a small number, as typed integer keys are: heads without a prefix all tie. */
  DENSE {
    @Override
    public byte[] key(RandomGenerator random) {
      int number = random.nextInt(5000);
      byte[] key = new byte[9];
      key[0] = 7;
      key[7] = (byte) (number >>> 8);
      key[8] = (byte) number;
      return key;
    }
  },
  /** Text with a long common beginning. */
  TEXT {
    @Override
    public byte[] key(RandomGenerator random) {
      String path = "https://example.org/" + "abc".charAt(random.nextInt(3)) + "/";
      return (path + random.nextInt(3000)).getBytes(StandardCharsets.UTF_8);
    }
  },
  /** Short keys of few different bytes, the empty key and trailing zeros among them. */
  TINY {
    @Override
    public byte[] key(RandomGenerator random) {
      byte[] key = new byte[random.nextInt(12)];
      byte[] alphabet = {0, 0, 0, 1, (byte) 0x80, (byte) 0xFF};
      for (int i = 0; i < key.length; i++) {
        key[i] = alphabet[random.nextInt(alphabet.length)];
      }
      return key;
    }
  },
  /** Keys of up to a thousand bytes that differ late, or not at all until one ends. */
  LONG {
    @Override
    public byte[] key(RandomGenerator random) {
      byte[] key = new byte[1 + random.nextInt(1000)];
      Arrays.fill(key, (byte) 'x');
      if (random.nextBoolean()) {
        key[key.length - 1] = (byte) random.nextInt(256);
      }
      return key;
    }
  };

  /** A key; the same one comes again now and then, except from {@link #UNIFORM}. */
  public abstract byte[] key(RandomGenerator random);
}
