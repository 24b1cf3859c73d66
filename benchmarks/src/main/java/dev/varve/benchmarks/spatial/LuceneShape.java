package dev.varve.benchmarks.spatial;

import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.search.Query;

/** How Lucene keeps points. */
enum LuceneShape {
  /** As two doubles. */
  DOUBLES {
    @Override
    Field newField() {
      return new DoublePoint(FIELD, 0, 0);
    }

    @Override
    void set(Field field, double x, double y) {
      ((DoublePoint) field).setDoubleValues(x, y);
    }

    @Override
    Query within(Box box) {
      return DoublePoint.newRangeQuery(
          FIELD, new double[] {box.minX(), box.minY()}, new double[] {box.maxX(), box.maxY()});
    }
  },

  /** As a point on the globe, of two times 32 bits. */
  GLOBE {
    @Override
    Field newField() {
      return new LatLonPoint(FIELD, 0, 0);
    }

    @Override
    void set(Field field, double x, double y) {
      ((LatLonPoint) field).setLocationValue(y, x);
    }

    @Override
    Query within(Box box) {
      return LatLonPoint.newBoxQuery(FIELD, box.minY(), box.maxY(), box.minX(), box.maxX());
    }
  };

  private static final String FIELD = "point";

  /** A field whose value is set for each document. */
  abstract Field newField();

  abstract void set(Field field, double x, double y);

  /** The points of a rectangle. */
  abstract Query within(Box box);
}
