package dev.varve.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;

/**
 * A page of lines over time that needs nothing but a browser: Chart.js, which draws them, is
 * inside. Immutable.
 *
 * @param title of the page
 * @param sections from top to bottom
 */
public record PlotPage(String title, List<Section> sections) {
  private static final String LIBRARY = "chart.js";
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String TEMPLATE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <title>@TITLE@</title>
      <style>
      body { font-family: sans-serif; max-width: 1000px; margin: 2em auto; padding: 0 1em; }
      pre { background: #f4f4f4; padding: 1em; overflow-x: auto; }
      .plot { height: 320px; margin: 1.5em 0; }
      </style>
      <script>@LIBRARY@</script>
      </head>
      <body>
      <h1>@TITLE@</h1>
      <div id="sections"></div>
      <script>
      const page = @PAGE@;
      const add = (parent, kind, text) => {
        const made = parent.appendChild(document.createElement(kind));
        made.textContent = text;
        return made;
      };
      const top_ = document.getElementById('sections');
      for (const section of page.sections) {
        add(top_, 'h2', section.heading);
        if (section.text) add(top_, 'pre', section.text);
        for (const plot of section.plots) {
          const box = add(top_, 'div', '');
          box.className = 'plot';
          new Chart(add(box, 'canvas', ''), {
            type: 'line',
            data: { datasets: plot.lines.map(line => ({
              label: line.name,
              data: line.points.map(point => ({ x: point[0], y: point[1] })),
              borderWidth: 1.5, pointRadius: 0 })) },
            options: {
              animation: false, parsing: false, maintainAspectRatio: false,
              interaction: { mode: 'nearest', intersect: false },
              plugins: { title: { display: true, text: plot.title } },
              scales: {
                x: { type: 'linear', title: { display: true, text: plot.xAxis } },
                y: { min: 0, title: { display: true, text: plot.yAxis } } } } });
        }
      }
      </script>
      </body>
      </html>
      """;

  /** Copies the list. */
  public PlotPage {
    sections = List.copyOf(sections);
  }

  /**
   * A part of the page.
   *
   * @param heading above it
   * @param text what comes before the plots, as it is; may be empty
   * @param plots one below the other
   */
  public record Section(String heading, String text, List<Plot> plots) {
    /** Copies the list. */
    public Section {
      plots = List.copyOf(plots);
    }
  }

  /**
   * Lines in one frame.
   *
   * @param title above it
   * @param xAxis what the first number of a point is
   * @param yAxis what the second number of a point is
   * @param lines each in a colour of its own
   */
  public record Plot(String title, String xAxis, String yAxis, List<Line> lines) {
    /** Copies the list. */
    public Plot {
      lines = List.copyOf(lines);
    }
  }

  /**
   * A line.
   *
   * @param name in the legend
   * @param points two numbers each
   */
  public record Line(String name, List<List<Double>> points) {
    /** Copies the list. */
    public Line {
      points = List.copyOf(points);
    }
  }

  /** The page as one file. */
  public String html() {
    return TEMPLATE
        .replace("@TITLE@", title.replace("&", "&amp;").replace("<", "&lt;"))
        .replace("@PAGE@", json())
        .replace("@LIBRARY@", library());
  }

  private String json() {
    try {
      // What looks like the end of the script would end it, even inside of a text.
      return JSON.writeValueAsString(this).replace("</", "<\\/");
    } catch (JsonProcessingException impossible) {
      // Texts and numbers; what Jackson refuses of them is a bug here.
      throw new IllegalStateException(impossible);
    }
  }

  private static String library() {
    Properties properties = new Properties();
    try (InputStream stream =
        resource("/META-INF/maven/org.webjars.npm/" + LIBRARY + "/pom.properties")) {
      properties.load(stream);
      String version = properties.getProperty("version");
      String file = LIBRARY + "/" + version + "/dist/chart.umd.min.js";
      try (InputStream script = resource("/META-INF/resources/webjars/" + file)) {
        return new String(script.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream resource(String name) {
    InputStream stream = PlotPage.class.getResourceAsStream(name);
    if (stream == null) {
      throw new IllegalStateException(name + " is not on the class path");
    }
    return stream;
  }

  /** Writes the page, in the place of what is there. */
  public void writeTo(FileSystem files, Path path) throws DiskException {
    byte[] bytes = html().getBytes(StandardCharsets.UTF_8);
    OpenMode mode = files.exists(path) ? OpenMode.READ_WRITE : OpenMode.CREATE_NEW;
    try (StorageFile file = files.open(path, mode)) {
      file.truncate(0);
      file.write(0, bytes, 0, bytes.length);
    }
  }
}
