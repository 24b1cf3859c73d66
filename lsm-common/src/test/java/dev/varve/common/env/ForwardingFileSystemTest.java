package dev.varve.common.env;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.testkit.MemoryFileSystem;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever the seam has, also later, is passed on as it is: call, arguments, answer and
 * failure. Method: every method that reflection finds, around something that notes its calls.
 */
final class ForwardingFileSystemTest {
  private record Files(FileSystem files) implements ForwardingFileSystem {}

  private record File(StorageFile file) implements ForwardingFile {}

  private record Wrapping(FileSystem files) implements ForwardingFileSystem {
    @Override
    public StorageFile opened(StorageFile file) {
      return new File(file);
    }
  }

  /** Grows with each value that is made up, so that no two are the same. */
  private int made;

  @Test
  void everyCallOfAFileSystemIsPassedOn() throws Exception {
    assertEverythingIsPassedOn(FileSystem.class, Files::new);
  }

  @Test
  void everyCallOfAFileIsPassedOn() throws Exception {
    assertEverythingIsPassedOn(StorageFile.class, File::new);
  }

  @Test
  void whoeverOpensAFileGetsWhatIsAroundIt() throws Exception {
    Path path = Path.of("/f");
    try (StorageFile file = new Wrapping(new MemoryFileSystem()).open(path, OpenMode.CREATE_NEW)) {
      assertEquals(File.class, file.getClass());
      file.write(0, new byte[3], 0, 3);
      assertEquals(3, file.size());
    }
  }

  private <T> void assertEverythingIsPassedOn(Class<T> seam, UnaryOperator<T> around)
      throws Exception {
    Method[] methods = seam.getMethods();
    assertTrue(methods.length > 5, "methods: " + methods.length);
    for (Method method : methods) {
      List<Object> calls = new ArrayList<>();
      Object answer = madeUp(method.getReturnType());
      Object[] arguments =
          Stream.of(method.getParameterTypes()).map(this::madeUp).toArray(Object[]::new);
      T noting =
          proxy(
              seam,
              (proxy, called, values) -> {
                calls.add(List.of(called.getName(), values == null ? List.of() : List.of(values)));
                return answer;
              });
      Object answered = method.invoke(around.apply(noting), arguments);
      assertEquals(List.of(List.of(method.getName(), List.of(arguments))), calls);
      assertEquals(answer, answered, method.toString());

      RuntimeException failure = new IllegalStateException(method.getName());
      T failing =
          proxy(
              seam,
              (proxy, called, values) -> {
                throw failure;
              });
      InvocationTargetException thrown =
          assertThrows(
              InvocationTargetException.class,
              () -> method.invoke(around.apply(failing), arguments));
      assertSame(failure, thrown.getCause());
    }
  }

  private Object madeUp(Class<?> type) {
    int number = ++made;
    if (type == void.class) {
      return null;
    } else if (type == boolean.class) {
      return true;
    } else if (type == int.class) {
      return number;
    } else if (type == long.class) {
      return (long) number;
    } else if (type == byte[].class) {
      return new byte[number];
    } else if (type == Path.class) {
      return Path.of("/" + number);
    } else if (type == List.class) {
      return List.of(number);
    } else if (type == Device.class) {
      return new Device(number);
    } else if (type.isEnum()) {
      return type.getEnumConstants()[number % type.getEnumConstants().length];
    }
    // Is compared, and printed where that fails; nobody calls anything else.
    return proxy(
        type,
        (proxy, called, values) ->
            called.getName().equals("equals") ? (Object) (proxy == values[0]) : "made up " + type);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
