package dev.varve.benchmarks.store;

import com.google.errorprone.annotations.Immutable;
import dev.varve.benchmarks.child.BenchmarkException;
import java.util.List;
import java.util.Optional;

/** How one kind of store is set up. Its methods other than {@link #open} load no library. */
@Immutable
interface StoreSetup {
  /** Opens the store, creating it when there is none. */
  Store open(StoreSettings settings) throws BenchmarkException;

  /** All options that matter, in one line. */
  String options(StoreSettings settings);

  /** Arguments of the JVM that it runs in. */
  List<String> jvmArguments(StoreSettings settings);

  /** Why it cannot promise a level of durability, if it cannot. */
  default Optional<String> refusal(StoreDurability durability) {
    return Optional.empty();
  }

  /** Whether it can scan from high keys to low ones. */
  default boolean scansBackward() {
    return true;
  }
}
