package dev.varve.simulator.reproduction;

import static dev.varve.simulator.reproduction.AdocRivalFigures.DEVICES;
import static dev.varve.simulator.reproduction.AdocRivalFigures.run;
import static dev.varve.simulator.reproduction.Outcomes.text;

import dev.varve.simulator.FlowDevice;
import dev.varve.simulator.FlowOptions;
import dev.varve.simulator.reproduction.Claim.Finding;
import dev.varve.simulator.reproduction.FlowFigure.FlowClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** ADOC and its rivals beside reads (section 6.3). Stateless. */
final class AdocMixFigures {
  private static final String ADOC = "adoc-paper";
  private static final String SILK = "silk-o";
  private static final String AUTO_TUNED = "auto-tuned";
  private static final List<String> SCHEMES = List.of(AUTO_TUNED, SILK, ADOC);

  /** What is closer together than this is no better and no worse. */
  private static final double EQUAL = 0.01;

  private static final String NOTHING_STALLS =
      "With one write in twenty, or none, nothing stalls in this model, and all schemes do the"
          + " same within two hundredths. Only the page cache that SILK-O's larger memory takes the"
          + " place of could tell them apart, and that is not modelled.";

  private AdocMixFigures() {}

  static List<FlowFigure> all() {
    return List.of(ycsb(), readWhileWriting());
  }

  private static String at(FlowDevice device, AdocMix mix, String tuner) {
    return run(device, tuner) + " " + mix.name();
  }

  private static Map<String, FlowOptions> runs(List<AdocMix> mixes) {
    Map<String, FlowOptions> runs = new LinkedHashMap<>();
    for (FlowDevice device : DEVICES) {
      for (AdocMix mix : mixes) {
        SCHEMES.forEach(tuner -> runs.put(at(device, mix, tuner), mix.under(device, tuner)));
      }
    }
    return runs;
  }

  /** What ADOC does more than a rival, in percent. */
  private static double more(FlowOutcomes outcomes, FlowDevice device, AdocMix mix, String rival) {
    return 100
        * (outcomes.operations(at(device, mix, ADOC)) / outcomes.operations(at(device, mix, rival))
            - 1);
  }

  private static List<Double> overSilk(FlowOutcomes outcomes, AdocMix mix) {
    return DEVICES.stream().map(device -> more(outcomes, device, mix, SILK)).toList();
  }

  private static String percents(List<Double> values) {
    return values.stream().map(each -> text("%+.1f", each)).collect(Collectors.joining(", "))
        + " % on PM, NVMe, SSD, HDD";
  }

  /** A printed range holds when what is found is between half of its begin and twice its end. */
  private static FlowClaim between(
      String paper, double from, double to, ToDoubleFunction<FlowOutcomes> by) {
    return new FlowClaim(
        paper,
        outcomes -> {
          double found = by.applyAsDouble(outcomes);
          return new Finding(found >= from / 2 && found <= 2 * to, text("%+.1f %%", found));
        });
  }

  // ---- Figure 17 -------------------------------------------------------------------------------

  private static FlowFigure ycsb() {
    List<FlowClaim> claims = new ArrayList<>();
    for (FlowDevice device : DEVICES) {
      claims.add(
          between(
                  device.name()
                      + ": ADOC performs 7.6 to 11.4 % better than RocksDB-AT, here in"
                      + " the mean of the stages",
                  7.6,
                  11.4,
                  outcomes ->
                      AdocMix.YCSB.stream()
                          .mapToDouble(mix -> more(outcomes, device, mix, AUTO_TUNED))
                          .average()
                          .orElseThrow())
              .because(
                  "RocksDB-AT keeps two threads and 64 MB. Where writes are many (load, A, F) it is"
                      + " bound by them and ADOC has up to 3.6 times as much; elsewhere both do the"
                      + " same."));
    }
    for (FlowDevice device : DEVICES) {
      claims.add(
          new FlowClaim(
                  device.name() + ": for load ADOC beats SILK-O",
                  outcomes -> {
                    double found = more(outcomes, device, AdocMix.LOAD, SILK);
                    return new Finding(found > 0, text("%+.1f %%", found));
                  })
              .because(
                  "As in Figure 12: SILK takes on 64 GB of debt before anything slows it, which is"
                      + " most of what the HDD takes in an hour."));
    }
    for (AdocMix mix : List.of(AdocMix.A, AdocMix.B, AdocMix.C, AdocMix.F)) {
      claims.add(
          new FlowClaim(
                  mix.name() + ": SILK-O performs better, by more than a hundredth",
                  outcomes -> {
                    List<Double> found = overSilk(outcomes, mix);
                    return new Finding(
                        found.stream().allMatch(each -> each < -100 * EQUAL), percents(found));
                  })
              .because(
                  mix.equals(AdocMix.A)
                      ? "On NVMe SILK-O is held back for 71 s. On PM and SSD writes come fast enough"
                          + " for its debt to do so for 1,130 and 1,822 s; on the HDD reads take all"
                          + " the time."
                      : mix.equals(AdocMix.F)
                          ? "It is so on PM and NVMe; on SATA both wait for reads, or for the same"
                              + " merges."
                          : NOTHING_STALLS));
    }
    for (AdocMix mix : List.of(AdocMix.D, AdocMix.E)) {
      claims.add(
          new FlowClaim(
                  mix.name() + ": the winner depends on the device",
                  outcomes -> {
                    List<Double> found = overSilk(outcomes, mix);
                    return new Finding(
                        found.stream().anyMatch(each -> each > 100 * EQUAL)
                            && found.stream().anyMatch(each -> each < -100 * EQUAL),
                        percents(found));
                  })
              .because(NOTHING_STALLS));
    }
    return new FlowFigure("adoc-fig17", "YCSB", runs(AdocMix.YCSB), claims);
  }

  // ---- Figure 19 -------------------------------------------------------------------------------

  private static FlowFigure readWhileWriting() {
    AdocMix mix = AdocMix.readWhileWriting(1);
    List<FlowClaim> claims = new ArrayList<>();
    for (FlowDevice device : DEVICES) {
      claims.add(
          between(
                  device.name() + ": ADOC has 5.2 to 45.3 % more than SILK-O",
                  5.2,
                  45.3,
                  outcomes -> more(outcomes, device, mix, SILK))
              .because(
                  "Reads are the larger part and equal, so what ADOC writes more shrinks; on the"
                      + " HDD SILK writes more for its debt, as in Figure 12."));
      claims.add(
          between(
                  device.name() + ": ADOC has 95 to 135 % more than RocksDB-AT",
                  95,
                  135,
                  outcomes -> more(outcomes, device, mix, AUTO_TUNED))
              .because(
                  "A reader here does 31,000 to 97,000 reads/s on SSD, NVMe and PM whoever writes;"
                      + " of the writes alone ADOC has 2.6 to 3.7 times as many."));
    }
    return new FlowFigure(
        "adoc-fig19", "A reader and a writer: reads and writes", runs(List.of(mix)), claims);
  }
}
