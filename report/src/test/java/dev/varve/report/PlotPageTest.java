package dev.varve.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.MemoryFileSystem;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: a page is whole, and whatever is in it stays text. */
final class PlotPageTest {
  private static PlotPage page(String name) {
    return new PlotPage(
        "a < b",
        List.of(
            new PlotPage.Section(
                "first",
                "text",
                List.of(
                    new PlotPage.Plot(
                        "plot",
                        "s",
                        "records/s",
                        List.of(new PlotPage.Line(name, List.of(List.of(30.0, 7.5)))))))));
  }

  @Test
  void thePageCarriesItsLibraryAndItsPoints() {
    String html = page("line").html();
    assertTrue(html.contains("<title>a &lt; b</title>"));
    assertTrue(html.contains("Chart.js v"), "the library is inside");
    assertTrue(html.contains("[30.0,7.5]"));
    assertFalse(html.contains("src="), "nothing is loaded from elsewhere");
    assertFalse(html.matches("(?s).*@(TITLE|PAGE|LIBRARY)@.*"));
  }

  @Test
  void aNameThatLooksLikeTheEndOfAScriptDoesNotEndIt() {
    String html = page("</script><script>alert(1)").html();
    assertFalse(html.contains("</script><script>alert"));
    assertTrue(html.contains("<\\/script>"));
  }

  @Test
  void aLongerPageThatWasThereIsReplaced() throws Exception {
    MemoryFileSystem files = new MemoryFileSystem();
    Path path = Path.of("/page.html");
    page("a long name ".repeat(1000)).writeTo(files, path);
    page("short").writeTo(files, path);
    assertEquals(page("short").html().length(), files.size(path));
  }
}
