package dev.varve.report;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Plots as a picture that a document can show: lines in frames, one below the other, as SVG of a
 * few kilobytes. A page with more of them is {@link PlotPage}. Immutable.
 *
 * @param plots from top to bottom
 */
public record SvgPicture(List<PlotPage.Plot> plots) {
  private static final int WIDTH = 760;
  private static final int HEIGHT = 230;
  private static final int LEFT = 64;
  private static final int TOP = 26;
  private static final int FRAME_WIDTH = 520;
  private static final int FRAME_HEIGHT = 160;

  /** More points than these nobody sees apart; several become their mean. */
  private static final int POINTS = 120;

  private static final int TICKS = 4;

  private static final List<String> COLOURS =
      List.of(
          "#4269d0", "#ff725c", "#3ca951", "#a463f2", "#efb118", "#6cc5b0", "#9c6b4e", "#888888");

  /** Copies the list. */
  public SvgPicture {
    plots = List.copyOf(plots);
  }

  /** The picture as one file. */
  public String svg() {
    StringBuilder svg = new StringBuilder();
    svg.append(
        text(
            "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'"
                + " font-size='11'>%n<rect width='100%%' height='100%%' fill='white'/>%n",
            WIDTH, HEIGHT * plots.size()));
    for (int i = 0; i < plots.size(); i++) {
      svg.append(text("<g transform='translate(0 %d)'>%n", i * HEIGHT));
      draw(plots.get(i), svg);
      svg.append("</g>\n");
    }
    return svg.append("</svg>\n").toString();
  }

  private static void draw(PlotPage.Plot plot, StringBuilder svg) {
    double right = largest(plot, 0);
    double top = rounded(largest(plot, 1));
    svg.append(
        text(
            "<text x='%d' y='16' font-weight='bold'>%s</text>%n",
            LEFT, escaped(plot.title() + ", " + plot.yAxis())));
    for (int i = 0; i <= TICKS; i++) {
      double x = LEFT + (double) FRAME_WIDTH * i / TICKS;
      double y = TOP + FRAME_HEIGHT - (double) FRAME_HEIGHT * i / TICKS;
      svg.append(
          text(
              "<path d='M%d %.0fh%d' stroke='#ddd'/><text x='%d' y='%.0f'"
                  + " text-anchor='end'>%s</text><text x='%.0f' y='%d'"
                  + " text-anchor='middle'>%s</text>%n",
              LEFT,
              y,
              FRAME_WIDTH,
              LEFT - 6,
              y + 4,
              number(top * i / TICKS),
              x,
              TOP + FRAME_HEIGHT + 15,
              number(right * i / TICKS)));
    }
    svg.append(
        text(
            "<text x='%d' y='%d' text-anchor='end'>%s</text>%n",
            LEFT + FRAME_WIDTH, TOP + FRAME_HEIGHT + 29, escaped(plot.xAxis())));
    for (int i = 0; i < plot.lines().size(); i++) {
      draw(plot.lines().get(i), i, new double[] {right, top}, svg);
    }
  }

  private static void draw(PlotPage.Line line, int index, double[] ends, StringBuilder svg) {
    String colour = COLOURS.get(index % COLOURS.size());
    svg.append(text("<polyline fill='none' stroke='%s' stroke-width='1.5' points='", colour));
    for (List<Double> point : thinned(line.points())) {
      svg.append(
          text(
              "%.0f,%.1f ",
              LEFT + FRAME_WIDTH * point.get(0) / ends[0],
              TOP + FRAME_HEIGHT * (1 - point.get(1) / ends[1])));
    }
    int y = TOP + 10 + 16 * index;
    svg.append(
        text(
            "'/>%n<path d='M%d %dh18' stroke='%s' stroke-width='3'/><text x='%d' y='%d'>%s</text>%n",
            LEFT + FRAME_WIDTH + 10,
            y - 4,
            colour,
            LEFT + FRAME_WIDTH + 32,
            y,
            escaped(line.name())));
  }

  private static List<List<Double>> thinned(List<List<Double>> points) {
    int group = Math.max(1, (points.size() + POINTS - 1) / POINTS);
    List<List<Double>> thinned = new ArrayList<>();
    for (int first = 0; first < points.size(); first += group) {
      List<List<Double>> part = points.subList(first, Math.min(points.size(), first + group));
      thinned.add(
          List.of(
              part.get(part.size() - 1).get(0),
              part.stream().mapToDouble(point -> point.get(1)).average().orElse(0)));
    }
    return thinned;
  }

  private static double largest(PlotPage.Plot plot, int side) {
    double largest = 0;
    for (PlotPage.Line line : plot.lines()) {
      for (List<Double> point : line.points()) {
        largest = Math.max(largest, point.get(side));
      }
    }
    return largest == 0 ? 1 : largest;
  }

  /** The next number of 1, 2, 2.5 or 5 and zeros that is TICKS times as large. */
  private static double rounded(double largest) {
    double power = Math.pow(10, Math.floor(Math.log10(largest / TICKS)));
    for (double factor : new double[] {1, 2, 2.5, 5}) {
      if (factor * power * TICKS >= largest) {
        return factor * power * TICKS;
      }
    }
    return 10 * power * TICKS;
  }

  private static String number(double value) {
    return value == Math.rint(value) ? text("%,.0f", value) : text("%,.1f", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values).replace("\r\n", "\n");
  }

  /** Writes the picture, in the place of what is there. */
  public void writeTo(FileSystem files, Path path) throws DiskException {
    byte[] bytes = svg().getBytes(StandardCharsets.UTF_8);
    OpenMode mode = files.exists(path) ? OpenMode.READ_WRITE : OpenMode.CREATE_NEW;
    try (StorageFile file = files.open(path, mode)) {
      file.truncate(0);
      file.write(0, bytes, 0, bytes.length);
    }
  }
}
