package dev.varve.report.command;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Ctrl-C and a polite kill: instead of ending the process they call an action, so that a command
 * can stop its feed and say what was acknowledged. A second signal ends the process at once;
 * recovery copes with a process that ends anywhere.
 *
 * <p>The JDK has no supported way to listen without ending; {@code sun.misc.Signal} is reached by
 * name, and where it is missing signals do what they always do. Thread-safe.
 */
public final class StopSignal implements AutoCloseable {
  /** The signals that are listened to, with the exit codes that a shell gives them. */
  private enum Kind {
    INT(130),
    TERM(143);

    private final int exitCode;

    Kind(int exitCode) {
      this.exitCode = exitCode;
    }
  }

  private final Runnable action;

  /** Whether the process ends with the action. */
  private final boolean last;

  private final AtomicInteger exitCode = new AtomicInteger();
  private final List<Runnable> restorations = new ArrayList<>();

  private StopSignal(Runnable action, boolean last) {
    this.action = action;
    this.last = last;
  }

  /** Starts listening; the action runs at most once, on a thread of the JVM. */
  public static StopSignal listen(Runnable action) {
    return listenAs(new StopSignal(action, false));
  }

  /**
   * Starts listening for a command that may end anywhere: the action has the last word, and the
   * process ends with the signal's exit code, as killed.
   */
  public static StopSignal listenToEnd(Runnable lastWords) {
    return listenAs(new StopSignal(lastWords, true));
  }

  private static StopSignal listenAs(StopSignal signal) {
    for (Kind kind : Kind.values()) {
      try {
        signal.listenTo(kind);
      } catch (ReflectiveOperationException absent) {
        // Not on this JDK, or taken by the JVM (-Xrs): the signal does what it always does.
        assert absent != null;
      }
    }
    return signal;
  }

  /** The exit code that the signal asks for, 128 plus its number; 0 when none came. */
  public int exitCode() {
    return exitCode.get();
  }

  /** What a signal does; tests call it in the place of the operating system. */
  void raised(int code) {
    boolean first = exitCode.compareAndSet(0, code);
    try {
      if (first) {
        action.run();
      }
    } finally {
      if (last || !first) {
        Runtime.getRuntime().halt(code);
      }
    }
  }

  private void listenTo(Kind kind) throws ReflectiveOperationException {
    Class<?> signalType = Class.forName("sun.misc.Signal");
    Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
    Object handler =
        Proxy.newProxyInstance(
            StopSignal.class.getClassLoader(),
            new Class<?>[] {handlerType},
            (proxy, method, arguments) -> {
              if (method.getName().equals("handle")) {
                raised(kind.exitCode);
              }
              return answer(method.getName(), proxy, arguments);
            });
    Object signal = signalType.getConstructor(String.class).newInstance(kind.name());
    var handle = signalType.getMethod("handle", signalType, handlerType);
    Object before;
    try {
      before = handle.invoke(null, signal, handler);
    } catch (InvocationTargetException taken) {
      throw new ReflectiveOperationException(taken);
    }
    restorations.add(
        () -> {
          try {
            handle.invoke(null, signal, before);
          } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
          }
        });
  }

  /** The methods of Object, which a proxy must answer too. */
  private static @Nullable Object answer(
      String method, Object proxy, Object @Nullable [] arguments) {
    return switch (method) {
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> arguments != null && proxy == arguments[0];
      case "toString" -> "StopSignal";
      default -> null;
    };
  }

  /** Stops listening; idempotent. */
  @Override
  public void close() {
    restorations.forEach(Runnable::run);
    restorations.clear();
  }
}
