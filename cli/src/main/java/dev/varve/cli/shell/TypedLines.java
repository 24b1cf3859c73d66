package dev.varve.cli.shell;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.Terminal;

/** Lines that are typed, with history and completion. Confined to the main thread. */
final class TypedLines {
  private static final Pattern PASSWORD = Pattern.compile("(?<=://)[^/\\s@]*@");

  private final ShellRun run;
  private final Terminal terminal;
  private final Path history;

  TypedLines(ShellRun run, Terminal terminal, Path history) {
    this.run = run;
    this.terminal = terminal;
    this.history = history;
  }

  /** A history without what an address says before its host. */
  static final class DiscreetHistory extends DefaultHistory {
    @Override
    public void add(Instant time, String line) {
      super.add(time, discreet(line));
    }
  }

  /** A line as the history keeps it. */
  static String discreet(String line) {
    return PASSWORD.matcher(line).replaceAll("");
  }

  /**
   * Reads and runs lines until the last.
   *
   * @return 0: whoever types has seen what failed
   */
  int run(FileSystem files) throws StorageException {
    Path parent = history.toAbsolutePath().getParent();
    if (parent != null && !files.exists(parent)) {
      files.createDirectories(parent);
    }
    LineReader reader =
        LineReaderBuilder.builder()
            .appName("varve")
            .terminal(terminal)
            .history(new DiscreetHistory())
            .completer(new ShellCompleter(run))
            .variable(LineReader.HISTORY_FILE, history)
            .option(LineReader.Option.HISTORY_IGNORE_SPACE, true)
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .build();
    while (true) {
      try {
        if (run.run(reader.readLine("varve> ")) == ShellRun.END) {
          return 0;
        }
      } catch (UserInterruptException dropped) {
        // Ctrl-C drops the line that is being typed.
        assert dropped.getPartialLine() != null;
      } catch (EndOfFileException end) {
        return 0;
      }
    }
  }
}
