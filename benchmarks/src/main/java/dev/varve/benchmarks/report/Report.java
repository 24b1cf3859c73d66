package dev.varve.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.varve.benchmarks.kv.PhaseOutcome;
import dev.varve.benchmarks.kv.Results;
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

  /**
   * What is written and printed as JSON.
   *
   * @param results what was measured
   * @param goals what that is held against
   * @param caveats what can be held against it
   */
  record Document(Results results, List<Goal.Outcome> goals, List<String> caveats) {}

  /**
   * The same of a comparison of indexes.
   *
   * @param results what was measured
   * @param goals what that is held against
   */
  record IndexDocument(Findings results, List<Goal.Outcome> goals) {}

  /** A report that goes to a console, and into files of a directory. */
  public Report(Console console, FileSystem files, Path directory) {
    this.console = console;
    this.files = files;
    this.directory = directory;
  }

  /** Prints the table of a phase. */
  public void print(PhaseOutcome outcome) {
    print(Section.of(outcome));
  }

  /** Prints the table of a phase. */
  public void print(Section section) {
    new PhaseTable(section).print(console.out());
  }

  /** Writes the files, and prints the goals. */
  public void finish(Results results) throws DiskException {
    Document document = save(results);
    printEnd(document.goals(), document.caveats(), results.seconds());
  }

  /** Writes the files, and prints the goals. */
  public void finish(Findings findings, List<Goal.Outcome> goals, List<Plot> drawn)
      throws DiskException {
    save(findings, goals, drawn);
    printEnd(goals, findings.caveats(), findings.seconds());
  }

  private void printEnd(List<Goal.Outcome> goals, List<String> caveats, double seconds) {
    printGoals(goals);
    console.printLine("");
    caveats.forEach(console::printLine);
    console.printLine("");
    console.printLine(
        "%s in all; plots in %s"
            .formatted(Figures.seconds(seconds), directory.resolve("report.html")));
  }

  /** Writes the files, and prints the whole as one JSON document. */
  public void finishAsJson(Results results) throws DiskException {
    console.printJson(save(results));
  }

  /** Writes the files, and prints the whole as one JSON document. */
  public void finishAsJson(Findings findings, List<Goal.Outcome> goals, List<Plot> drawn)
      throws DiskException {
    console.printJson(save(findings, goals, drawn));
  }

  private Document save(Results results) throws DiskException {
    List<Section> sections = results.phases().stream().map(Section::of).toList();
    List<Goal.Outcome> goals = Goal.ALL.stream().map(goal -> goal.check(sections)).toList();
    Document document = new Document(results, goals, Caveats.OF_STORES);
    write("report.json", text(document));
    write("report.html", HtmlPage.of(results, goals, document.caveats()).text());
    return document;
  }

  private IndexDocument save(Findings findings, List<Goal.Outcome> goals, List<Plot> drawn)
      throws DiskException {
    IndexDocument document = new IndexDocument(findings, goals);
    write("report.json", text(document));
    write("report.html", HtmlPage.of(findings, goals, drawn).text());
    return document;
  }

  private void printGoals(List<Goal.Outcome> goals) {
    console.printLine("");
    console.printLine("goals");
    Table table = new Table(Goal.Outcome.HEADINGS.toArray(String[]::new));
    goals.forEach(goal -> table.row(goal.cells().toArray(String[]::new)));
    table.print(console.out());
  }

  private static String text(Object document) {
    try {
      return JSON.writeValueAsString(document);
    } catch (JsonProcessingException impossible) {
      // Results are records of numbers, texts and lists; one that Jackson refuses is a bug here.
      throw new IllegalStateException(impossible);
    }
  }

  private void write(String name, String text) throws DiskException {
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
