package dev.varve.simulator.reproduction;

import static dev.varve.simulator.reproduction.AdocRivalFigures.DEVICES;
import static dev.varve.simulator.reproduction.AdocRivalFigures.run;
import static dev.varve.simulator.reproduction.Outcomes.text;

import dev.varve.scheduler.tuner.StallClass;
import dev.varve.simulator.FlowDevice;
import dev.varve.simulator.FlowLoad;
import dev.varve.simulator.FlowOptions;
import dev.varve.simulator.FlowResult;
import dev.varve.simulator.SimulationOptions;
import dev.varve.simulator.reproduction.Claim.Finding;
import dev.varve.simulator.reproduction.FlowFigure.FlowClaim;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What ADOC observes of RocksDB before it tunes anything (sections 1, 3 and 4): stalls under static
 * numbers of threads and sizes of memory components. Stateless.
 */
final class AdocStallFigures {
  static final List<Integer> THREADS =
      IntStream.rangeClosed(1, 10).mapToObj(each -> 2 * each).toList();
  private static final List<Integer> PRESSURES = List.of(10_000, 40_000, 150_000);
  private static final List<FlowDevice> FAST = List.of(FlowDevice.PM, FlowDevice.NVME);

  private AdocStallFigures() {}

  static List<FlowFigure> all() {
    return List.of(
        pressure(), threads(), bandwidth(), levelZero(), jobs(), classes(), overflows(), trace());
  }

  static String tuner(int threads, int megabytes) {
    return "static(" + threads + ", " + megabytes + "m)";
  }

  private static String at(FlowDevice device, int threads, int megabytes) {
    return run(device, tuner(threads, megabytes));
  }

  private static Map<String, FlowOptions> grid(List<Integer> megabytes) {
    Map<String, FlowOptions> runs = new LinkedHashMap<>();
    for (FlowDevice device : DEVICES) {
      for (int size : megabytes) {
        for (int threads : THREADS) {
          runs.put(at(device, threads, size), FlowOptions.paper(device, tuner(threads, size)));
        }
      }
    }
    return runs;
  }

  private static String numbers(List<Double> values) {
    return values.stream().map(each -> text("%,.0f", each)).collect(Collectors.joining(", "));
  }

  private static boolean falls(List<Double> values) {
    return IntStream.range(1, values.size()).allMatch(i -> values.get(i) < values.get(i - 1));
  }

  // ---- Figure 1 --------------------------------------------------------------------------------

  private static FlowFigure pressure() {
    Map<String, FlowOptions> runs = new LinkedHashMap<>();
    for (FlowDevice device : DEVICES) {
      for (int pressure : PRESSURES) {
        runs.put(
            run(device, pressure + "/s"),
            FlowOptions.paper(device, "fixed").withLoad(FlowLoad.FILL_RANDOM.at(pressure)));
      }
    }
    List<FlowClaim> claims = new ArrayList<>();
    for (FlowDevice device : DEVICES) {
      claims.add(
          new FlowClaim(
              device.name() + ": write stalls occur, and more with a higher pressure",
              outcomes -> {
                List<Double> stalled =
                    PRESSURES.stream()
                        .map(each -> outcomes.stalled(run(device, each + "/s")))
                        .toList();
                return new Finding(
                    stalled.get(1) > stalled.get(0) && stalled.get(2) > stalled.get(1),
                    numbers(stalled) + " s of an hour");
              }));
    }
    claims.add(
        new FlowClaim(
            "they are device dependent: each slower device writes less at the same pressure",
            outcomes -> {
              int most = PRESSURES.get(PRESSURES.size() - 1);
              List<Double> rates =
                  DEVICES.stream().map(each -> outcomes.rate(run(each, most + "/s"))).toList();
              return new Finding(falls(rates), numbers(rates) + " records/s");
            }));
    return new FlowFigure("adoc-fig1", "Stalls on every device", runs, claims);
  }

  // ---- Figure 3 --------------------------------------------------------------------------------

  private static FlowFigure threads() {
    List<FlowClaim> claims = new ArrayList<>();
    for (FlowDevice device : FAST) {
      claims.add(
          new FlowClaim(
              device.name() + ": the stall time decreases up to six threads",
              outcomes -> {
                List<Double> stalled =
                    List.of(2, 4, 6).stream()
                        .map(each -> outcomes.stalled(at(device, each, 64)))
                        .toList();
                return new Finding(falls(stalled), numbers(stalled) + " s");
              }));
      claims.add(
          new FlowClaim(
              device.name() + ": beyond four threads stalls are fewer, and take slightly longer",
              outcomes -> {
                List<Double> stalled =
                    THREADS.stream().map(each -> outcomes.stalled(at(device, each, 64))).toList();
                List<Double> counts =
                    THREADS.stream().map(each -> outcomes.stalls(at(device, each, 64))).toList();
                boolean holds =
                    IntStream.range(2, THREADS.size())
                        .allMatch(
                            i -> counts.get(i) < counts.get(1) && stalled.get(i) > stalled.get(1));
                return new Finding(holds, numbers(counts) + " stalls, " + numbers(stalled) + " s");
              }));
    }
    claims.add(
        new FlowClaim(
            "up to six threads it decreases more with PM than with NVMe",
            outcomes -> {
              List<Double> left =
                  FAST.stream()
                      .map(
                          device ->
                              outcomes.stalled(at(device, 6, 64))
                                  / outcomes.stalled(at(device, 2, 64)))
                      .toList();
              return new Finding(
                  left.get(0) < left.get(1),
                  text("to %.1f and %.1f %%", 100 * left.get(0), 100 * left.get(1)));
            }));
    for (FlowDevice device : List.of(FlowDevice.NVME, FlowDevice.SSD)) {
      claims.add(largeMemory(device));
    }
    return new FlowFigure(
        "adoc-fig3", "Stalls and numbers of threads", grid(List.of(64, 512)), claims);
  }

  private static FlowClaim largeMemory(FlowDevice device) {
    return new FlowClaim(
        device.name() + ": with 512 MB stalls are fewer and shorter than with 64 MB",
        outcomes -> {
          boolean holds = true;
          for (int each : THREADS) {
            holds &=
                outcomes.stalled(at(device, each, 512)) < outcomes.stalled(at(device, each, 64))
                    && outcomes.stalls(at(device, each, 512))
                        < outcomes.stalls(at(device, each, 64));
          }
          return new Finding(
              holds,
              numbers(
                      THREADS.stream()
                          .map(each -> outcomes.stalled(at(device, each, 512)))
                          .toList())
                  + " s, with 64 MB "
                  + numbers(
                      THREADS.stream()
                          .map(each -> outcomes.stalled(at(device, each, 64)))
                          .toList()));
        });
  }

  // ---- Figure 5 --------------------------------------------------------------------------------

  private static FlowFigure bandwidth() {
    List<FlowClaim> claims = new ArrayList<>();
    for (FlowDevice device : DEVICES) {
      boolean slow = !FAST.contains(device);
      claims.add(
          new FlowClaim(
              device.name()
                  + (slow
                      ? ": the peak reaches the bandwidth of the device"
                      : ": a large part of the bandwidth is idle even at the peak"),
              outcomes -> {
                double peak =
                    THREADS.stream()
                        .mapToDouble(each -> outcomes.of(at(device, each, 64)).use().peakPart())
                        .max()
                        .orElseThrow();
                return new Finding(
                    slow ? peak > 0.95 : peak < 0.8, text("at most %.0f %%", 100 * peak));
              }));
      claims.add(
          new FlowClaim(
              device.name() + ": the mean is not close to the bandwidth, although writes stall",
              outcomes -> {
                double mean =
                    THREADS.stream()
                        .mapToDouble(each -> outcomes.device(at(device, each, 64)))
                        .max()
                        .orElseThrow();
                return new Finding(mean < 0.8, text("at most %.0f %%", 100 * mean));
              }));
    }
    return new FlowFigure("adoc-fig5", "Used bandwidth", grid(List.of(64)), claims);
  }

  // ---- Figures 6 and 10 ------------------------------------------------------------------------

  private static FlowFigure levelZero() {
    String two = at(FlowDevice.NVME, 2, 64);
    String twenty = at(FlowDevice.NVME, 20, 64);
    Map<String, FlowOptions> runs = new LinkedHashMap<>();
    runs.put(two, FlowOptions.paper(FlowDevice.NVME, tuner(2, 64)));
    runs.put(twenty, FlowOptions.paper(FlowDevice.NVME, tuner(20, 64)));
    List<FlowClaim> claims =
        List.of(
            new FlowClaim(
                "2 threads: at first stalls match merges of level 0, later they do not",
                outcomes -> {
                  double early = outcomes.level0AndStalls(two, 0, 300);
                  double late = outcomes.level0AndStalls(two, 3000, 3600);
                  return new Finding(
                      early > 0.5 && late < 0.25,
                      text("correlation %.2f, in the end %.2f", early, late));
                }),
            new FlowClaim(
                "20 threads: level 0 is merged much more often",
                outcomes -> {
                  long few = outcomes.of(two).jobs().level0().count();
                  long many = outcomes.of(twenty).jobs().level0().count();
                  return new Finding(many > 2 * few, text("%d times, with 2 %d", many, few));
                }),
            new FlowClaim(
                "20 threads: stalls show no relation with merges of level 0",
                outcomes -> {
                  double found = outcomes.level0AndStalls(twenty, 0, 3600);
                  return new Finding(Math.abs(found) < 0.25, text("correlation %.2f", found));
                }));
    return new FlowFigure("adoc-fig6", "Merges of level 0 and stalls", runs, claims);
  }

  private static FlowFigure trace() {
    String run = at(FlowDevice.NVME, 4, 64);
    FlowOptions options =
        FlowOptions.paper(FlowDevice.NVME, tuner(4, 64))
            .withTime(new SimulationOptions.Time(600, 0, 10));
    List<FlowClaim> claims =
        List.of(
            new FlowClaim(
                "stalls of level 0 begin at peaks of its components: at 20 of them",
                outcomes -> {
                  double seconds = outcomes.stalled(run, StallClass.LEVEL_ZERO);
                  int most =
                      outcomes.of(run).seconds().stream()
                          .mapToInt(FlowResult.Second::level0Components)
                          .max()
                          .orElseThrow();
                  return new Finding(
                      seconds > 0 && most >= 20,
                      text("%.0f s of stalls, at most %d components", seconds, most));
                }),
            new FlowClaim(
                "redundant data accumulates until the system slows down at 64 GB",
                outcomes -> {
                  double seconds = outcomes.stalled(run, StallClass.PENDING_BYTES);
                  double most =
                      outcomes.of(run).seconds().stream()
                          .mapToDouble(FlowResult.Second::pendingBytes)
                          .max()
                          .orElseThrow();
                  return new Finding(
                      seconds > 0, text("%.0f s of stalls, at most %.1f GB", seconds, most / 1e9));
                }),
            new FlowClaim(
                "at stalls the use of bandwidth is low, as at any other point",
                outcomes -> {
                  double stalled =
                      outcomes.of(run).seconds().stream()
                          .filter(second -> second.stalledSeconds() > 0.5)
                          .mapToDouble(FlowResult.Second::devicePart)
                          .average()
                          .orElse(1);
                  double mean = outcomes.device(run);
                  return new Finding(
                      stalled < 0.5 && Math.abs(stalled - mean) < 0.1,
                      text("%.0f %%, in the mean %.0f %%", 100 * stalled, 100 * mean));
                }));
    return new FlowFigure(
        "adoc-fig10", "600 s with 4 threads on NVMe", Map.of(run, options), claims);
  }

  // ---- Figure 9 --------------------------------------------------------------------------------

  private static FlowFigure overflows() {
    Map<String, FlowOptions> runs = new LinkedHashMap<>();
    List<FlowClaim> claims =
        List.of(
            overflow(
                "writes faster than flushes: memory overflows, and stalls are of memory",
                FlowOptions.paper(FlowDevice.HDD, tuner(20, 64)),
                StallClass.MEMORY,
                runs),
            overflow(
                "flushes faster than merges of level 0: it overflows, and stalls are its own",
                FlowOptions.paper(FlowDevice.NVME, tuner(2, 64)),
                StallClass.LEVEL_ZERO,
                runs),
            overflow(
                "merges too slow for what becomes redundant: stalls are of pending bytes",
                FlowOptions.paper(FlowDevice.NVME, "silk-d"),
                StallClass.PENDING_BYTES,
                runs));
    return new FlowFigure("adoc-fig9", "Three overflows", runs, claims);
  }

  private static FlowClaim overflow(
      String paper, FlowOptions options, StallClass by, Map<String, FlowOptions> runs) {
    String run = run(options.device(), options.tuner().describe());
    runs.put(run, options);
    return new FlowClaim(
        paper,
        outcomes ->
            new Finding(
                outcomes.stalls(run, by) > 0,
                text("%.0f stalls, %,.0f s", outcomes.stalls(run, by), outcomes.stalled(run, by))));
  }

  // ---- Figures 7 and 8 -------------------------------------------------------------------------

  private static FlowFigure jobs() {
    List<FlowClaim> claims = new ArrayList<>();
    for (FlowDevice device : DEVICES) {
      claims.add(
          new FlowClaim(
              device.name() + ": more threads run more merges",
              outcomes -> {
                double few = merges(outcomes.of(at(device, 2, 64)));
                double many = merges(outcomes.of(at(device, 20, 64)));
                return new Finding(many > few, text("%,.0f, with 2 threads %,.0f", many, few));
              }));
      claims.add(
          new FlowClaim(
              device.name() + ": the flush rate decreases monotonically with threads",
              outcomes -> {
                List<Double> rates =
                    THREADS.stream()
                        .map(each -> flushes(outcomes, at(device, each, 64)) / 1e6)
                        .toList();
                return new Finding(falls(rates), numbers(rates) + " MB/s");
              }));
      claims.add(
          new FlowClaim(
              device.name() + ": flushes get the least bandwidth of all background jobs",
              outcomes -> {
                String run = at(device, 20, 64);
                double flush = flushes(outcomes, run) / 1e6;
                double level0 = outcomes.of(run).jobs().level0().bytesPerSecond() / 1e6;
                double deeper = outcomes.of(run).jobs().deeper().bytesPerSecond() / 1e6;
                return new Finding(
                    flush < level0 && flush < deeper,
                    text("%.0f MB/s, level 0 %.0f, deeper %.0f", flush, level0, deeper));
              }));
    }
    return new FlowFigure("adoc-fig7", "Background jobs", grid(List.of(64)), claims);
  }

  private static double flushes(FlowOutcomes outcomes, String run) {
    return outcomes.of(run).jobs().flushes().bytesPerSecond();
  }

  private static double merges(FlowResult result) {
    return result.jobs().level0().count() + result.jobs().deeper().count();
  }

  private static FlowFigure classes() {
    List<FlowClaim> claims = new ArrayList<>();
    for (FlowDevice device : DEVICES) {
      claims.add(
          new FlowClaim(
              device.name() + ": stalls of pending bytes are most with four threads, then fewer",
              outcomes -> {
                List<Double> counts =
                    THREADS.stream()
                        .map(
                            each -> outcomes.stalls(at(device, each, 64), StallClass.PENDING_BYTES))
                        .toList();
                return new Finding(
                    counts.get(1) > counts.get(0)
                        && counts.stream().noneMatch(each -> each > counts.get(1))
                        && counts.get(counts.size() - 1) < counts.get(1),
                    numbers(counts));
              }));
      claims.add(
          new FlowClaim(
              device.name() + ": with 20 threads stalls are of memory, and hardly of level 0",
              outcomes -> {
                double memory = outcomes.stalls(at(device, 20, 64), StallClass.MEMORY);
                double level0 = outcomes.stalls(at(device, 20, 64), StallClass.LEVEL_ZERO);
                return new Finding(
                    memory > 10 * level0, text("%.0f, and %.0f of level 0", memory, level0));
              }));
    }
    claims.add(
        new FlowClaim(
            "stalls of pending bytes are fewer with 512 MB than with 64 MB",
            outcomes -> {
              double small = 0;
              double large = 0;
              for (FlowDevice device : DEVICES) {
                for (int each : THREADS) {
                  small += outcomes.stalls(at(device, each, 64), StallClass.PENDING_BYTES);
                  large += outcomes.stalls(at(device, each, 512), StallClass.PENDING_BYTES);
                }
              }
              return new Finding(large < small, text("%,.0f and %,.0f", large, small));
            }));
    return new FlowFigure("adoc-fig8", "Classes of stalls", grid(List.of(64, 512)), claims);
  }
}
