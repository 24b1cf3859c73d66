package dev.varve.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Says what a comparison found: on the console, as HTML and as JSON. Confined to its caller. */
public final class Report {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final Console console;
  private final FileSystem files;
  private final Path directory;
  private final Form form;

  /** What is printed. */
  public enum Form {
    /** Tables, as soon as there is something to put into them, and the goals. */
    TABLES,
    /** One JSON document in the end, and nothing else. */
    JSON
  }

  /**
   * What is written and printed as JSON where a comparison has no other form for that.
   *
   * @param results what was measured
   * @param goals what that is held against
   */
  private record Document(Findings results, List<Goal.Outcome> goals) {}

  /** A report that goes to a console, and into files of a directory. */
  public Report(Console console, FileSystem files, Path directory, Form form) {
    this.console = console;
    this.files = files;
    this.directory = directory;
    this.form = form;
  }

  /** Prints the table of a phase. */
  public void print(Section section) {
    if (form == Form.TABLES) {
      new PhaseTable(section).print(console.out());
    }
  }

  /** Writes the files, and prints the goals or everything. */
  public void finish(Findings findings, List<Goal.Outcome> goals, List<Plot> drawn)
      throws DiskException {
    finish(new Document(findings, goals), findings, goals, drawn);
  }

  /**
   * The same with a JSON document of its own.
   *
   * @param document a record that Jackson writes
   * @param drawn what is drawn apart from the plots of each phase
   */
  public void finish(Object document, Findings findings, List<Goal.Outcome> goals, List<Plot> drawn)
      throws DiskException {
    writeJson(document, files, directory);
    write("report.html", HtmlPage.of(findings, goals, drawn).text(), files, directory);
    if (form == Form.JSON) {
      console.printJson(document);
      return;
    }
    printGoals(goals);
    console.printLine("");
    findings.caveats().forEach(console::printLine);
    console.printLine("");
    console.printLine(
        "%s in all; plots in %s"
            .formatted(Figures.seconds(findings.seconds()), directory.resolve("report.html")));
  }

  private void printGoals(List<Goal.Outcome> goals) {
    console.printLine("");
    console.printLine("goals");
    Table table = new Table(Goal.Outcome.HEADINGS.toArray(String[]::new));
    goals.forEach(goal -> table.row(goal.cells().toArray(String[]::new)));
    table.print(console.out());
    List<Goal.Outcome> missed = goals.stream().filter(Goal.Outcome::isMissed).toList();
    if (!missed.isEmpty()) {
      console.printLine("");
      console.printLine("not met");
      Table reasons = new Table("phase", "figure", "");
      missed.forEach(goal -> reasons.row(goal.phase(), goal.metric(), goal.reason()));
      reasons.print(console.out());
    }
  }

  /** Writes a document into {@code report.json} of a directory. */
  public static void writeJson(Object document, FileSystem files, Path directory)
      throws DiskException {
    try {
      write("report.json", JSON.writeValueAsString(document), files, directory);
    } catch (JsonProcessingException impossible) {
      // Results are records of numbers, texts and lists; one that Jackson refuses is a bug here.
      throw new IllegalStateException(impossible);
    }
  }

  private static void write(String name, String text, FileSystem files, Path directory)
      throws DiskException {
    Path path = directory.resolve(name);
    if (files.exists(path)) {
      files.delete(path);
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try (StorageFile file = files.open(path, OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
    }
  }
}
