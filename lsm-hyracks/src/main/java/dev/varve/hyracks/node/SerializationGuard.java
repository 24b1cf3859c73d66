package dev.varve.hyracks.node;

import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hyracks.api.comm.DefaultJavaSerializationProvider;
import org.apache.hyracks.api.comm.IJavaSerializationProvider;
import org.apache.hyracks.api.util.JavaSerializationUtils;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Decides what Hyracks' ports deserialize in this process. Hyracks reads Java objects off its ports
 * from every process that connects, and asks for no name. All nodes of an embedded cluster and its
 * client are in one process, so every object that may arrive was written here before: the allow
 * list is the set of classes that this process has itself sent. Where the nodes are processes of
 * their own, it is wider: classes of Hyracks and of Varve, and those few others that jobs and
 * failures are made of. Arrays, depth and references are bounded, and so is what hashing a set or
 * map costs, which the reading of it does, and which can be exponential in its length.
 *
 * <p>The guard is of the process: it serves all that reads and writes through Hyracks. Thread-safe.
 */
@FiltersSerialization
final class SerializationGuard implements IJavaSerializationProvider {
  /** Deepest nesting of objects; the jobs of this module have at most 30. */
  static final int MAX_DEPTH = 100;

  /** Most objects in a message. */
  static final int MAX_REFERENCES = 1 << 20;

  /** Elements of arrays for each byte of a message: tables of hash maps have more room than use. */
  static final int MAX_ELEMENTS_PER_BYTE = 4;

  /** Elements of arrays that every message may have. */
  static final int FREE_ELEMENTS = 1 << 12;

  /** Most steps to compute the hash of one collection. */
  static final long MAX_HASH_STEPS = 1 << 20;

  private static final int MAX_ADDRESS_DEPTH = 4;
  private static final int MAX_ADDRESS_REFERENCES = 32;
  private static final int MAX_ADDRESS_BYTES = 16;

  private static final Logger LOGGER = LogManager.getLogger();

  private static final SerializationGuard OF_PROCESS = new SerializationGuard();

  /** What objects of other processes are made of: a class of one of these packages themselves. */
  private static final Set<String> PACKAGES =
      Set.of("java.lang", "java.util", "java.io", "java.nio.file", "java.net", "java.math");

  /** The same by their full names. */
  private static final Set<String> CLASSES =
      Set.of(
          "java.lang.invoke.SerializedLambda",
          "org.apache.commons.lang3.tuple.ImmutablePair",
          "org.apache.commons.lang3.tuple.Pair",
          "java.util.concurrent.ConcurrentHashMap",
          "java.util.concurrent.ConcurrentHashMap$Segment",
          "java.util.concurrent.CopyOnWriteArrayList",
          "java.util.concurrent.TimeUnit",
          "java.util.concurrent.atomic.AtomicInteger",
          "java.util.concurrent.atomic.AtomicLong",
          "java.util.concurrent.locks.ReentrantLock",
          "java.util.concurrent.locks.ReentrantLock$Sync",
          "java.util.concurrent.locks.ReentrantLock$NonfairSync",
          "java.util.concurrent.locks.AbstractQueuedSynchronizer",
          "java.util.concurrent.locks.AbstractOwnableSynchronizer");

  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private volatile boolean otherProcesses;

  SerializationGuard() {}

  /** Puts the guard before all that Hyracks reads, unless the program has put something there. */
  static void install() {
    if (JavaSerializationUtils.getSerializationProvider()
        == DefaultJavaSerializationProvider.INSTANCE) {
      JavaSerializationUtils.setSerializationProvider(OF_PROCESS);
    }
  }

  /** Takes objects that other processes of a cluster send, too. */
  static void trustOtherProcesses() {
    install();
    OF_PROCESS.otherProcesses = true;
  }

  /** Whether an object of a class may come from another process of a cluster. */
  static boolean isOfClusters(String className) {
    String name = className.replaceFirst("^\\[+", "");
    if (name.length() < className.length()) {
      if (name.length() == 1) {
        return true;
      }
      name = name.substring(1, name.length() - 1);
    }
    return name.startsWith("org.apache.hyracks.")
        || name.startsWith("dev.varve.")
        || CLASSES.contains(name)
        || PACKAGES.contains(name.substring(0, Math.max(0, name.lastIndexOf('.'))));
  }

  /**
   * Refuses everything but addresses to streams of objects of this process that have no filter of
   * their own, as those of this guard have: for a program that reads no objects but Hyracks'.
   * Hyracks reads the sender's address of each heartbeat by such a stream. Does nothing where the
   * program has decided otherwise, or has read objects already.
   */
  static void installForProcess() {
    try {
      ObjectInputFilter.Config.setSerialFilterFactory(
          (current, own) -> own != null ? own : SerializationGuard::checkAddress);
    } catch (IllegalStateException decided) {
      LOGGER.debug("this process has a filter of its own for streams of objects", decided);
    }
  }

  /** The filter of streams that have none of their own. */
  static ObjectInputFilter.Status checkAddress(ObjectInputFilter.FilterInfo info) {
    Class<?> type = info.serialClass();
    boolean address =
        type == null
            || SocketAddress.class.isAssignableFrom(type)
            || InetAddress.class.isAssignableFrom(type)
            || type.equals(byte[].class);
    return address
            && info.depth() <= MAX_ADDRESS_DEPTH
            && info.references() <= MAX_ADDRESS_REFERENCES
            && info.arrayLength() <= MAX_ADDRESS_BYTES
        ? ObjectInputFilter.Status.ALLOWED
        : ObjectInputFilter.Status.REJECTED;
  }

  @Override
  public ObjectOutputStream newObjectOutputStream(OutputStream out) throws IOException {
    return new Output(out);
  }

  @Override
  public ObjectInputStream newObjectInputStream(InputStream in) throws IOException {
    return new Input(in);
  }

  @FiltersSerialization
  private final class Output extends ObjectOutputStream {
    Output(OutputStream out) throws IOException {
      super(out);
    }

    @Override
    protected void annotateClass(Class<?> type) {
      sent.add(type.getName());
    }
  }

  @FiltersSerialization
  private final class Input extends ObjectInputStream {
    /** What hashing each collection that was read costs. */
    private final IdentityHashMap<Object, Long> hashSteps = new IdentityHashMap<>();

    /** How many more elements arrays may have. */
    private long elements;

    Input(InputStream in) throws IOException {
      super(in);
      elements = FREE_ELEMENTS + (long) MAX_ELEMENTS_PER_BYTE * in.available();
      setObjectInputFilter(this::checkSize);
      enableResolveObject(true);
    }

    private ObjectInputFilter.Status checkSize(ObjectInputFilter.FilterInfo info) {
      elements -= Math.max(0, info.arrayLength());
      return info.depth() > MAX_DEPTH || info.references() > MAX_REFERENCES || elements < 0
          ? ObjectInputFilter.Status.REJECTED
          : ObjectInputFilter.Status.ALLOWED;
    }

    /** Comes for each class that a message names, before the class is looked for. */
    @Override
    protected Class<?> resolveClass(ObjectStreamClass described)
        throws IOException, ClassNotFoundException {
      boolean expected =
          sent.contains(described.getName())
              || (otherProcesses && isOfClusters(described.getName()));
      if (!expected) {
        LOGGER.warn(
            "refused an object of class {}, which this process has never sent",
            described.getName());
        throw new InvalidClassException(
            described.getName(), "a class that this process has never sent");
      }
      return super.resolveClass(described);
    }

    @Override
    protected Class<?> resolveProxyClass(String[] interfaces) throws InvalidClassException {
      throw new InvalidClassException("proxies are not sent");
    }

    /** Comes for each object once it is read, so for an element before a set has to hash it. */
    @Override
    protected Object resolveObject(Object read) throws InvalidObjectException {
      if (hasDeepHash(read)) {
        hashSteps.put(read, stepsOf(read));
      }
      return read;
    }

    private long stepsOf(Object collection) throws InvalidObjectException {
      long steps = 1;
      if (collection instanceof Collection<?> elements) {
        for (Object element : elements) {
          steps = plus(steps, element);
        }
      } else if (collection instanceof Map<?, ?> map) {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          steps = plus(plus(steps, entry.getKey()), entry.getValue());
        }
      } else if (collection instanceof Map.Entry<?, ?> entry) {
        steps = plus(plus(steps, entry.getKey()), entry.getValue());
      }
      return steps;
    }

    private long plus(long steps, Object element) throws InvalidObjectException {
      Long more = hasDeepHash(element) ? hashSteps.get(element) : Long.valueOf(1);
      if (more == null) {
        throw new InvalidObjectException("a collection that contains itself");
      }
      if (steps + more > MAX_HASH_STEPS) {
        throw new InvalidObjectException(
            "the hash of a collection would take over " + MAX_HASH_STEPS + " steps");
      }
      return steps + more;
    }

    private static boolean hasDeepHash(Object object) {
      return object instanceof Collection || object instanceof Map || object instanceof Map.Entry;
    }
  }
}
