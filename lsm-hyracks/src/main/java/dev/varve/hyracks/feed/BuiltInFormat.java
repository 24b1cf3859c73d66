package dev.varve.hyracks.feed;

import java.io.InputStream;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;

/** The formats of this module. */
enum BuiltInFormat implements RecordFormat {
  /** One JSON object a line. */
  NDJSON {
    @Override
    public RecordParser parser(InputStream input) {
      return new LineParser(input);
    }
  },
  /** The elements of JSON arrays. */
  JSON {
    @Override
    public RecordParser parser(InputStream input) {
      return new ArrayParser(input);
    }
  },
  /** Comma-separated values under a header line. */
  CSV {
    @Override
    public RecordParser parser(InputStream input) {
      return parser(input, Collections.emptySortedMap());
    }

    @Override
    public RecordParser parser(InputStream input, SortedMap<String, ColumnType> types) {
      return new ValuesParser(input, ',', new ColumnTypes(types));
    }
  },
  /** Tab-separated values under a header line. */
  TSV {
    @Override
    public RecordParser parser(InputStream input) {
      return parser(input, Collections.emptySortedMap());
    }

    @Override
    public RecordParser parser(InputStream input, SortedMap<String, ColumnType> types) {
      return new ValuesParser(input, '\t', new ColumnTypes(types));
    }
  },
  /** The features of a GeoJSON collection, each a record. */
  GEOJSON {
    @Override
    public RecordParser parser(InputStream input) {
      return new FeatureParser(input);
    }
  };

  @Override
  public String formatName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
