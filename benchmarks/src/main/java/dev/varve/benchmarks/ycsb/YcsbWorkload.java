package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.measure.Labelled;
import java.util.Locale;
import java.util.Properties;
import site.ycsb.Client;
import site.ycsb.workloads.CoreWorkload;

/** YCSB's core workloads, with the shares of operations and the choice of keys that YCSB gives. */
public enum YcsbWorkload implements Labelled {
  /** Half reads, half updates of one field. */
  A("half reads, half updates", 0.5, CoreWorkload.UPDATE_PROPORTION_PROPERTY, "zipfian"),
  /** Mostly reads. */
  B("95 % reads, 5 % updates", 0.95, CoreWorkload.UPDATE_PROPORTION_PROPERTY, "zipfian"),
  /** Nothing but reads. */
  C("reads", 1, CoreWorkload.UPDATE_PROPORTION_PROPERTY, "zipfian"),
  /** Reads of what was inserted last. */
  D(
      "95 % reads of the latest, 5 % inserts",
      0.95, CoreWorkload.INSERT_PROPORTION_PROPERTY, "latest"),
  /** Short scans. */
  E(
      "95 % scans of 1 to 100, 5 % inserts",
      0.95, CoreWorkload.INSERT_PROPORTION_PROPERTY, "zipfian"),
  /** Half reads, half changes of what was read. */
  F(
      "half reads, half read, change and write",
      0.5,
      CoreWorkload.READMODIFYWRITE_PROPORTION_PROPERTY,
      "zipfian");

  /** A scan visits fifty records in the mean, so that there are so few of them. */
  private static final double SCAN_SHARE = 0.15;

  private final String title;
  private final double reads;
  private final String others;
  private final String distribution;

  YcsbWorkload(String title, double reads, String others, String distribution) {
    this.title = title;
    this.reads = reads;
    this.others = others;
    this.distribution = distribution;
  }

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  String title() {
    return title;
  }

  /** Whether most operations are scans. */
  boolean scans() {
    return this == E;
  }

  /** How many operations it has, when {@code --operations} is {@code asked}. */
  long operations(long asked) {
    return scans() ? Math.max(1, Math.round(SCAN_SHARE * asked)) : asked;
  }

  /** What tells YCSB of it. */
  Properties properties(long records, long operations) {
    assert records > 0 && operations > 0;
    Properties properties = new Properties();
    properties.setProperty(Client.RECORD_COUNT_PROPERTY, Long.toString(records));
    properties.setProperty(Client.OPERATION_COUNT_PROPERTY, Long.toString(operations));
    for (String each :
        new String[] {
          CoreWorkload.READ_PROPORTION_PROPERTY,
          CoreWorkload.UPDATE_PROPORTION_PROPERTY,
          CoreWorkload.INSERT_PROPORTION_PROPERTY,
          CoreWorkload.SCAN_PROPORTION_PROPERTY,
          CoreWorkload.READMODIFYWRITE_PROPORTION_PROPERTY
        }) {
      properties.setProperty(each, "0");
    }
    String first =
        scans() ? CoreWorkload.SCAN_PROPORTION_PROPERTY : CoreWorkload.READ_PROPORTION_PROPERTY;
    properties.setProperty(first, Double.toString(reads));
    properties.setProperty(others, Double.toString(1 - reads));
    properties.setProperty(CoreWorkload.MAX_SCAN_LENGTH_PROPERTY, "100");
    properties.setProperty(CoreWorkload.REQUEST_DISTRIBUTION_PROPERTY, distribution);
    return properties;
  }
}
