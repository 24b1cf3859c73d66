package dev.varve.hyracks.node;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/** What a program of another user might send to a port. */
final class HostileMessages {
  /** How often code of a message was run. */
  static final AtomicLong RUN = new AtomicLong();

  private HostileMessages() {}

  /** Runs something when it is read. */
  static final class Gadget implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      RUN.incrementAndGet();
    }
  }

  /** As Java serializes it. */
  static byte[] serialized(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  /** Sets whose hash takes two to the power of the levels. */
  static Set<Object> nestedSets(int levels) {
    Set<Object> root = new HashSet<>();
    Set<Object> one = root;
    Set<Object> other = new HashSet<>();
    for (int i = 0; i < levels; i++) {
      Set<Object> nextOne = new HashSet<>();
      Set<Object> nextOther = new HashSet<>();
      nextOne.add("foo");
      one.add(nextOne);
      one.add(nextOther);
      other.add(nextOne);
      other.add(nextOther);
      one = nextOne;
      other = nextOther;
    }
    return root;
  }

  /** Lists that are harmless until a set or map holds the outermost. */
  static List<Object> nestedLists(int levels) {
    List<Object> list = new ArrayList<>(List.of("foo"));
    for (int i = 0; i < levels; i++) {
      list = new ArrayList<>(List.of(list, list));
    }
    return list;
  }
}
