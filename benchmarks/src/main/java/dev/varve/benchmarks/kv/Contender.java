package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.store.ScanDirection;
import dev.varve.benchmarks.store.StoreDurability;
import dev.varve.benchmarks.store.StoreKind;
import dev.varve.benchmarks.store.StoreSettings;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store that takes part in a comparison.
 *
 * @param label name on command lines and in reports
 * @param kind which store it is; null for the device itself
 */
public record Contender(String label, @Nullable StoreKind kind) {
  /** Not a store: the time that a forced write takes at least. */
  public static final Contender DEVICE = new Contender(Outcome.DEVICE, null);

  /** A store. */
  public static Contender of(StoreKind kind) {
    return new Contender(kind.label(), kind);
  }

  Optional<String> refusal(StoreDurability durability) {
    return kind == null ? Optional.empty() : kind.refusal(durability);
  }

  boolean scansBackward() {
    return kind == null || kind.supports(ScanDirection.BACKWARD);
  }

  String options(StoreSettings settings) {
    return kind == null ? "" : kind.options(settings);
  }

  /** Arguments of the JVM that it runs in. */
  public List<String> jvmArguments(StoreSettings settings) {
    return kind == null ? List.of("-Xmx256m") : kind.jvmArguments(settings);
  }
}
