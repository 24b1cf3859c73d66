package dev.varve.hyracks.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Goal: only what was sent is read, and nothing that is short costs much to read. Method: messages
 * that another program might send, made without the guard.
 */
final class SerializationGuardTest {
  private final SerializationGuard guard = new SerializationGuard();

  /** What this process sends, by which it declares the classes of it good. */
  private void send(Object value) throws IOException {
    try (ObjectOutputStream out = guard.newObjectOutputStream(new ByteArrayOutputStream())) {
      out.writeObject(value);
    }
  }

  private Object read(byte[] message) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = guard.newObjectInputStream(new ByteArrayInputStream(message))) {
      return in.readObject();
    }
  }

  @Test
  void readsWhatWasSentAndNothingElse() throws Exception {
    Map<String, Object> value = new HashMap<>(Map.of("a", List.of(1, 2L), "b", new int[] {3}));
    byte[] message = HostileMessages.serialized(new HashMap<>(Map.of("c", 4)));
    assertThrows(InvalidClassException.class, () -> read(message));
    send(value);
    assertEquals(Map.of("c", 4), read(message));
    byte[] hostile = HostileMessages.serialized(new HostileMessages.Gadget());
    long before = HostileMessages.RUN.get();
    assertThrows(InvalidClassException.class, () -> read(hostile));
    assertThrows(
        InvalidClassException.class,
        () ->
            read(
                HostileMessages.serialized(
                    new HashMap<>(Map.of("c", new HostileMessages.Gadget())))));
    assertEquals(before, HostileMessages.RUN.get(), "no code of a class that was not sent ran");
  }

  /** 27 levels take minutes without the guard, and 100 take for ever. */
  @Test
  void refusesShortMessagesThatTakeLongToHash() throws Exception {
    send(new HashSet<>(Set.of("a")));
    send(new HashMap<>(Map.of("a", new ArrayList<>(List.of("b")))));
    for (int levels : new int[] {27, 40}) {
      assertThrows(
          InvalidObjectException.class,
          () -> read(HostileMessages.serialized(HostileMessages.nestedSets(levels))));
      assertThrows(
          InvalidObjectException.class,
          () -> read(HostileMessages.serialized(HostileMessages.nestedLists(levels))));
    }
    assertThrows(
        InvalidClassException.class,
        () -> read(HostileMessages.serialized(HostileMessages.nestedSets(200))));
    List<Object> itself = new ArrayList<>();
    itself.add(itself);
    assertThrows(InvalidObjectException.class, () -> read(HostileMessages.serialized(itself)));
    Set<Object> harmless = new HashSet<>(List.of(new HashSet<>(List.of("a")), "b"));
    assertEquals(harmless, read(HostileMessages.serialized(harmless)));
  }

  @Test
  void refusesMessagesThatAreTooDeepOrClaimTooMuch() throws Exception {
    send(new ArrayList<>(List.of("a")));
    send(new byte[0]);
    Object deep = "a";
    for (int i = 0; i < SerializationGuard.MAX_DEPTH + 1; i++) {
      deep = new ArrayList<>(List.of(deep));
    }
    byte[] tooDeep = HostileMessages.serialized(deep);
    assertThrows(InvalidClassException.class, () -> read(tooDeep));
    byte[] array = HostileMessages.serialized(new byte[0]);
    // The length is the last four bytes.
    array[array.length - 4] = 0x7f;
    assertThrows(InvalidClassException.class, () -> read(array));
  }

  /** A heartbeat has an address, by a stream that Hyracks opens past the guard. */
  @Test
  void processesReadHeartbeatsAndNoOtherObjects() throws Exception {
    InetSocketAddress sender =
        new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 4711);
    for (Object taken :
        List.of(sender, new InetSocketAddress(InetAddress.getByAddress(new byte[16]), 4711))) {
      assertEquals(taken, readFiltered(HostileMessages.serialized(taken)));
    }
    for (Object refused :
        List.of(
            new HostileMessages.Gadget(),
            new ArrayList<>(List.of(sender)),
            new Object[] {sender},
            new byte[17])) {
      byte[] message = HostileMessages.serialized(refused);
      assertThrows(InvalidClassException.class, () -> readFiltered(message));
    }
  }

  private static Object readFiltered(byte[] message) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(message))) {
      in.setObjectInputFilter(SerializationGuard::checkAddress);
      return in.readObject();
    }
  }

  /**
   * Of processes of their own: what a job is made of comes in, what an attack is made of does not.
   */
  @Test
  void otherProcessesSendWhatJobsAreMadeOf() {
    for (String sent :
        List.of(
            "org.apache.hyracks.api.job.JobId",
            "dev.varve.hyracks.operator.DatasetWrite",
            "java.util.ArrayList",
            "java.util.CollSer",
            "java.lang.IllegalStateException",
            "java.io.IOException",
            "java.net.Inet4Address",
            "[B",
            "[[I",
            "[Ljava.lang.StackTraceElement;",
            "[[Lorg.apache.hyracks.api.io.FileSplit;")) {
      assertTrue(SerializationGuard.isOfClusters(sent), sent);
    }
    for (String attack :
        List.of(
            "com.sun.org.apache.xalan.internal.xsltc.trax.TemplatesImpl",
            "javax.management.BadAttributeValueExpException",
            "org.apache.commons.collections4.functors.InvokerTransformer",
            "org.apache.hyrackss.Evil",
            "java.lang.reflect.Proxy",
            "java.util.concurrent.FutureTask",
            "java.rmi.server.UnicastRemoteObject",
            "[Ljavax.naming.Reference;",
            "Evil",
            "")) {
      assertFalse(SerializationGuard.isOfClusters(attack), attack);
    }
  }
}
