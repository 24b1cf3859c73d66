package dev.varve.hyracks.feed;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SortedMap;

/**
 * How bytes become records: a plug-in, found by its name through {@link ServiceLoader}. Stateless
 * and thread-safe; what it makes is not.
 */
public interface RecordFormat {
  /** The name that it is asked for by. */
  String formatName();

  /** Reads records from an open input, which the parser does not close. */
  RecordParser parser(InputStream input);

  /**
   * The same where types of columns are given, for a format that has columns without types.
   *
   * @param types by name of the column
   */
  default RecordParser parser(InputStream input, SortedMap<String, ColumnType> types) {
    return parser(input);
  }

  /**
   * The format with a name, among those of this module and those that plug-ins bring.
   *
   * @throws IllegalArgumentException when there is none, with the names there are
   */
  static RecordFormat named(String name) {
    List<String> names = new ArrayList<>();
    for (RecordFormat format : all()) {
      if (format.formatName().equals(name)) {
        return format;
      }
      names.add(format.formatName());
    }
    throw new IllegalArgumentException("no format is called '" + name + "'; there are " + names);
  }

  private static List<RecordFormat> all() {
    List<RecordFormat> all = new ArrayList<>(List.of(BuiltInFormat.values()));
    ServiceLoader.load(RecordFormat.class).forEach(all::add);
    return all;
  }
}
