package dev.varve.simulator;

import java.util.ArrayList;
import java.util.List;

/** Collects windows and sums as time passes. Confined to the simulation. */
final class Course {
  private final SimulationOptions.Time time;
  private final List<SimulationResult.Window> windows = new ArrayList<>();
  private double windowTaken;
  private double windowComponents;
  private int windowMost;
  private double windowStalled;
  private double measured;
  private double componentSeconds;
  private int mostComponents;
  private double spaceSeconds;
  private double peakBytes;
  private double stalledSeconds;
  private double passedSeconds;
  private final List<Double> levelByteSeconds = new ArrayList<>();

  Course(SimulationOptions.Time time) {
    this.time = time;
  }

  /** What held while a step lasted. */
  record Step(
      double seconds,
      double taken,
      int components,
      boolean stalled,
      List<Long> levelBytes,
      long diskBytes,
      double madeBytes) {}

  /** When the running window ends. */
  double windowEnd() {
    return Math.min(time.seconds(), (windows.size() + 1) * time.windowSeconds());
  }

  /** Accounts for a step, which never reaches over the end of a window or of the warm-up. */
  void add(double from, Step step) {
    windowTaken += step.taken;
    windowComponents += step.components * step.seconds;
    windowMost = Math.max(windowMost, step.components);
    windowStalled += step.stalled ? step.seconds : 0;
    stalledSeconds += step.stalled ? step.seconds : 0;
    if (from >= time.warmUpSeconds()) {
      measured += step.taken;
      for (int level = 0; level < step.levelBytes.size(); level++) {
        double byteSeconds = step.levelBytes.get(level) * step.seconds;
        if (level == levelByteSeconds.size()) {
          levelByteSeconds.add(0.0);
        }
        levelByteSeconds.set(level, levelByteSeconds.get(level) + byteSeconds);
      }
    }
    componentSeconds += step.components * step.seconds;
    mostComponents = Math.max(mostComponents, step.components);
    spaceSeconds += step.diskBytes * step.seconds;
    peakBytes = Math.max(peakBytes, step.diskBytes + step.madeBytes);
    passedSeconds += step.seconds;
  }

  /** Ends the window, if this is its end. */
  void closeWindow(double now, double queued) {
    if (now < windowEnd()) {
      return;
    }
    double length = windowEnd() - windows.size() * time.windowSeconds();
    windows.add(
        new SimulationResult.Window(
            now,
            windowTaken / length,
            windowComponents / length,
            windowMost,
            windowStalled,
            queued));
    windowTaken = 0;
    windowComponents = 0;
    windowMost = 0;
    windowStalled = 0;
  }

  List<SimulationResult.Window> windows() {
    return windows;
  }

  double recordsPerSecond() {
    return measured / (time.seconds() - time.warmUpSeconds());
  }

  double stalledSeconds() {
    return stalledSeconds;
  }

  SimulationResult.Components components(long limit) {
    return new SimulationResult.Components(limit, componentSeconds / passedSeconds, mostComponents);
  }

  SimulationResult.Space space(double liveBytes, double endBytes) {
    return new SimulationResult.Space(
        liveBytes,
        endBytes,
        peakBytes,
        liveBytes > 0 ? spaceSeconds / passedSeconds / liveBytes : 0,
        levelByteSeconds.stream()
            .map(sum -> sum / (time.seconds() - time.warmUpSeconds()))
            .toList());
  }
}
