package dev.varve.common.index;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The plug-ins of one sort that are on the class path, found by the names that they know. They are
 * looked for once, when the first is asked for. Thread-safe.
 *
 * @param <P> what they are
 */
public final class PlugIns<P> {
  private final Supplier<Stream<P>> loader;
  private final BiFunction<P, String, @Nullable P> named;
  private final Function<P, String> names;
  private volatile @Nullable List<P> found;

  /**
   * Plug-ins that are found later.
   *
   * @param loader what a new {@link java.util.ServiceLoader} finds
   * @param named the plug-in of a name, null when it is not one of those that this one knows
   * @param names all that it knows, to be read by people
   */
  public PlugIns(
      Supplier<Stream<P>> loader,
      BiFunction<P, String, @Nullable P> named,
      Function<P, String> names) {
    this.loader = loader;
    this.named = named;
    this.names = names;
  }

  /**
   * The plug-in with a name.
   *
   * @throws ServiceConfigurationError when two have it
   */
  public Optional<P> find(String name) {
    List<P> all = new ArrayList<>();
    for (P plugIn : installed()) {
      P match = named.apply(plugIn, name);
      if (match != null) {
        all.add(match);
      }
    }
    if (all.size() > 1) {
      throw new ServiceConfigurationError(
          "more than one plug-in is named '"
              + name
              + "', leave all jars but one out: "
              + all.stream().map(p -> p.getClass().getName()).collect(Collectors.joining(", ")));
    }
    return all.stream().findFirst();
  }

  /** The names that they know, to be read by people. */
  public String names() {
    return installed().stream().map(names).collect(Collectors.joining(", "));
  }

  private List<P> installed() {
    List<P> plugIns = found;
    if (plugIns == null) {
      plugIns = loader.get().toList();
      found = plugIns;
    }
    return plugIns;
  }
}
