package dev.varve.dataset.kind;

import dev.varve.rtree.geometry.Rectangle;
import org.jspecify.annotations.Nullable;

/**
 * A point or rectangle that is gathered while its record is read: {@code [x, y]}, {@code [minX,
 * minY, maxX, maxY]}, an object with the numbers {@code x} and {@code y}, or a GeoJSON point, whose
 * altitude is left out. Confined to a reader, and reused.
 */
final class SpatialValue {
  /** Where the parser is. */
  private enum Inside {
    NOTHING,
    ARRAY,
    OBJECT,
    /** The coordinates of a GeoJSON object. */
    COORDINATES
  }

  private static final int MOST_NUMBERS = 4;

  private final double[] numbers = new double[MOST_NUMBERS];
  private Inside inside = Inside.NOTHING;

  /** A value whose coordinates this one's array is too. */
  private @Nullable SpatialValue outer;

  private int count;
  private boolean strange;
  private String field = "";
  private double x;
  private double y;
  private boolean isGeoJsonPoint;

  /** Nothing was found yet. */
  void reset() {
    inside = Inside.NOTHING;
  }

  /** An array begins where the value is expected. */
  void beginArray(@Nullable SpatialValue around) {
    begin(Inside.ARRAY, around);
  }

  /** An object begins where the value is expected. */
  void beginObject() {
    begin(Inside.OBJECT, null);
  }

  private void begin(Inside where, @Nullable SpatialValue around) {
    inside = where;
    outer = around;
    count = 0;
    strange = false;
    field = "";
    x = Double.NaN;
    y = Double.NaN;
    isGeoJsonPoint = false;
  }

  /** A field of the object begins. */
  void field(String name) {
    field = name;
  }

  /** Whether an array that begins now holds the numbers of this value, too. */
  boolean takesArray() {
    boolean takes = inside == Inside.OBJECT && field.equals("coordinates");
    if (takes) {
      inside = Inside.COORDINATES;
      count = 0;
    } else {
      takesNoObject();
    }
    return takes;
  }

  /** An object, or an array of something else, begins. */
  void takesNoObject() {
    if (outer != null) {
      outer.takesNoObject();
    }
    strange |= inside != Inside.OBJECT;
  }

  /** An array ends whose numbers this value took. */
  void endArray() {
    if (outer != null) {
      outer.endArray();
    }
    if (inside == Inside.COORDINATES) {
      inside = Inside.OBJECT;
    }
  }

  /** A number. */
  void number(double value) {
    if (outer != null) {
      outer.number(value);
    }
    if (inside == Inside.OBJECT) {
      if (field.equals("x")) {
        x = value;
      } else if (field.equals("y")) {
        y = value;
      }
    } else {
      if (count < MOST_NUMBERS) {
        numbers[count] = value;
      }
      count++;
    }
  }

  /** A text, truth value or null. */
  void noNumber(String text) {
    if (outer != null) {
      outer.noNumber(text);
    }
    if (inside == Inside.OBJECT) {
      isGeoJsonPoint |= field.equals("type") && text.equals("Point");
    } else {
      strange = true;
    }
  }

  /** What was gathered; null when it is no point and no rectangle. */
  @Nullable Rectangle rectangle() {
    return switch (inside) {
      case NOTHING -> null;
      case ARRAY ->
          strange
              ? null
              : count == 2
                  ? of(numbers[0], numbers[1], numbers[0], numbers[1])
                  : count == 4 ? of(numbers[0], numbers[1], numbers[2], numbers[3]) : null;
      case OBJECT, COORDINATES ->
          isGeoJsonPoint && !strange && (count == 2 || count == 3)
              ? of(numbers[0], numbers[1], numbers[0], numbers[1])
              : of(x, y, x, y);
    };
  }

  private static @Nullable Rectangle of(double minX, double minY, double maxX, double maxY) {
    boolean finite =
        Double.isFinite(minX)
            && Double.isFinite(minY)
            && Double.isFinite(maxX)
            && Double.isFinite(maxY);
    return finite && minX <= maxX && minY <= maxY ? new Rectangle(minX, minY, maxX, maxY) : null;
  }
}
