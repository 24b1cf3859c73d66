package dev.varve.benchmarks.measure;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What command lines and reports know by a name. Immutable. */
public interface Labelled {
  /** Its name on command lines and in reports. */
  String label();

  /** The one with a label. */
  static <L extends Labelled> Optional<L> find(L[] all, String label) {
    return Stream.of(all).filter(each -> each.label().equals(label)).findFirst();
  }

  /**
   * Those with some labels, in their order.
   *
   * @param noun what they are, in the message of the exception
   * @throws IllegalArgumentException when there is none with one of the labels
   */
  static <L extends Labelled> List<L> findAll(L[] all, List<String> labels, String noun) {
    return labels.stream()
        .map(
            label ->
                find(all, label)
                    .orElseThrow(
                        () ->
                            new IllegalArgumentException(
                                "no %s is called '%s'; there are %s"
                                    .formatted(
                                        noun,
                                        label,
                                        Stream.of(all)
                                            .map(Labelled::label)
                                            .collect(Collectors.joining(", "))))))
        .toList();
  }
}
