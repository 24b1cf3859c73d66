package dev.varve.hyracks.feed;

import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A socket that clients of a feed connect to, one after the other: the next one waits until the one
 * before has closed its connection, and a client that sends faster than its records are taken waits
 * in its sending. Confined to one thread, but for {@link #close}.
 */
final class ListeningInput implements AutoCloseable {
  private static final String PREFIX = "tcp-listen://";
  private static final int MOST_WAITING = 64;

  private final String name;
  private final InetSocketAddress address;
  private volatile @Nullable ServerSocket socket;
  private volatile @Nullable Socket client;
  private volatile boolean closed;

  private ListeningInput(String name, InetSocketAddress address) {
    this.name = name;
    this.address = address;
  }

  /** Whether an input is such a socket. */
  static boolean isOne(String input) {
    return input.startsWith(PREFIX);
  }

  /**
   * The socket that an input names.
   *
   * @throws IllegalArgumentException when no host and port follow
   */
  static ListeningInput at(String input) {
    return new ListeningInput(input, address(input, PREFIX));
  }

  /**
   * The address behind a prefix: {@code HOST:PORT}, on loopback without the host.
   *
   * @throws IllegalArgumentException when there is none
   */
  static InetSocketAddress address(String input, String prefix) {
    String place = input.substring(prefix.length());
    int colon = place.lastIndexOf(':');
    try {
      int port = Integer.parseInt(place.substring(colon + 1));
      String host = colon <= 0 ? "" : place.substring(0, colon);
      InetSocketAddress address =
          host.isEmpty()
              ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
              : new InetSocketAddress(host, port);
      if (colon >= 0 && port > 0 && !address.isUnresolved()) {
        return address;
      }
    } catch (IllegalArgumentException noPort) {
      throw wrong(input, prefix, noPort);
    }
    throw wrong(input, prefix, null);
  }

  private static IllegalArgumentException wrong(
      String input, String prefix, @Nullable Exception cause) {
    return new IllegalArgumentException(
        "%s is not %sHOST:PORT with a known host and a port above 0; without a host it is loopback"
            .formatted(input, prefix),
        cause);
  }

  /** The input. */
  String name() {
    return name;
  }

  /**
   * Listens.
   *
   * @throws DiskException when nobody can listen there
   */
  ListeningInput listen() throws DiskException {
    try {
      socket = new ServerSocket(address.getPort(), MOST_WAITING, address.getAddress());
      return this;
    } catch (IOException taken) {
      throw new DiskException(name, "listen", taken);
    }
  }

  /**
   * What the next client sends, once there is one; nothing when it was closed meanwhile.
   *
   * @throws DiskException when no client can be taken
   */
  InputStream accept() throws DiskException {
    try {
      Socket next = Objects.requireNonNull(socket).accept();
      client = next;
      return next.getInputStream();
    } catch (IOException failure) {
      if (closed) {
        return InputStream.nullInputStream();
      }
      throw new DiskException(name, "accept", failure);
    }
  }

  /** Listens no more, and lets the client go. */
  @Override
  public void close() {
    closed = true;
    ServerSocket listening = socket;
    Socket connected = client;
    try {
      if (connected != null) {
        connected.close();
      }
      if (listening != null) {
        listening.close();
      }
    } catch (IOException unclosed) {
      // Nobody waits for what would come there.
      assert closed : unclosed;
    }
  }
}
