package dev.varve.hyracks.feed;

import java.io.InputStream;
import java.util.Locale;

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
      return new ValuesParser(input, ',');
    }
  },
  /** Tab-separated values under a header line. */
  TSV {
    @Override
    public RecordParser parser(InputStream input) {
      return new ValuesParser(input, '\t');
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
