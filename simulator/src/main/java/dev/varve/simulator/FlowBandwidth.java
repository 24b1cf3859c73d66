package dev.varve.simulator;

import dev.varve.scheduler.tuner.TunerSetting.Io;
import java.util.List;

/**
 * Shares a device out. Clients come first, for nobody waits until the log is on the device. Flushes
 * and merges get the same each, unless a thread can't use it or a setting says otherwise, and what
 * one leaves is the others'. Pure; no state.
 */
final class FlowBandwidth {
  /** Clients leave this much to the others. */
  private static final double CLIENT_PART = 0.9;

  private FlowBandwidth() {}

  /**
   * What came of it.
   *
   * @param clients bytes per second of clients
   * @param used bytes per second of all together
   * @param busy the part of what the device moves with so many streams
   * @param drained whether a flush or merge gets less than it would without the I/O budget
   */
  record Shares(double clients, double used, double busy, boolean drained) {}

  /**
   * What clients ask for.
   *
   * @param bytesPerSecond what they would move if they had the device
   * @param streams how many of them there are
   */
  record Clients(double bytesPerSecond, int streams) {}

  /**
   * Sets the rate of every job.
   *
   * @param clients who comes first
   * @param running flushes and merges that have a thread
   */
  static Shares share(FlowDevice device, Io io, Clients clients, List<FlowJob> running) {
    int flows = running.size() + clients.streams;
    double total = device.bytesPerSecond(flows);
    double[] most = new double[running.size()];
    double toClients = Math.min(clients.bytesPerSecond, total * CLIENT_PART);
    double deeper = running.stream().filter(job -> job.kind() == FlowJob.Kind.DEEPER).count();
    for (int i = 0; i < running.size(); i++) {
      FlowJob job = running.get(i);
      most[i] = device.threadBytesPerSecond(job.kind(), flows);
      if (job.kind() == FlowJob.Kind.DEEPER) {
        most[i] = Math.min(most[i], io.mergeBytesPerSecond() / deeper);
      }
    }
    double[] rates = fill(total - toClients, most);
    double used = toClients;
    boolean drained = limit((double) io.bytesPerSecond(), running, rates);
    for (int i = 0; i < running.size(); i++) {
      running.get(i).runAt(rates[i]);
    }
    for (double rate : rates) {
      used += rate;
    }
    return new Shares(toClients, used, used / total, drained);
  }

  /** What is written by jobs stays below the budget, flushes first. */
  private static boolean limit(double budget, List<FlowJob> running, double[] rates) {
    double left = budget;
    double merges = 0;
    for (int i = 0; i < running.size(); i++) {
      if (running.get(i).kind() == FlowJob.Kind.FLUSH) {
        rates[i] = Math.min(rates[i], left);
        left -= rates[i];
      } else {
        merges += rates[i] * running.get(i).writtenPart();
      }
    }
    boolean drained = (left <= 0 && budget < Io.UNLIMITED) || merges > left;
    if (merges > left) {
      for (int i = 0; i < running.size(); i++) {
        if (running.get(i).kind() != FlowJob.Kind.FLUSH) {
          rates[i] *= Math.max(0, left) / merges;
        }
      }
    }
    return drained;
  }

  /** The same for each, but no more than it can use. */
  private static double[] fill(double total, double[] most) {
    double[] rates = new double[most.length];
    double left = total;
    int open = most.length;
    boolean[] full = new boolean[most.length];
    while (open > 0) {
      double each = left / open;
      boolean any = false;
      for (int i = 0; i < most.length; i++) {
        if (!full[i] && most[i] <= each) {
          full[i] = true;
          rates[i] = most[i];
          left -= most[i];
          open--;
          any = true;
        }
      }
      if (!any) {
        for (int i = 0; i < most.length; i++) {
          rates[i] = full[i] ? rates[i] : each;
        }
        return rates;
      }
    }
    return rates;
  }
}
