package dev.varve.rtree.geometry;

/**
 * Positions on a Hilbert curve of order 32 through the plane of all finite doubles: 64 bits, 32 of
 * each coordinate. Thread-safe: no state.
 *
 * <p>Each coordinate is first mapped to an unsigned code of 32 bits. The mapping is fixed, so that
 * components with different extents agree in it, and monotone, so that neighbours stay neighbours.
 * It is linear for magnitudes from 2^-16 to 256, which is where longitudes and latitudes lie: 2^22
 * codes a degree are cells of 2.7 cm, all of one shape. Taking the upper bits of the doubles
 * instead would stretch cells by the ratio of the coordinates' powers of two: near the equator they
 * become needles hundreds of times longer than wide. Below and above that range there are so many
 * codes for each power of two (2^18, 2^19) that no range of doubles falls into a single cell.
 * Entries that share a cell are in the order of their coordinates.
 *
 * <p>Format: docs/format/rtree.md.
 */
public final class HilbertCurve {
  /** Codes of a unit where the mapping is linear. */
  private static final double CODES_PER_UNIT = 1 << 22;

  /** Where the mapping becomes linear, and where it ends to be; see docs/format/rtree.md. */
  private static final double LINEAR_FROM = 0x1p-16;

  private static final double LINEAR_TO = 256;

  /** Of the bits of a double's magnitude, those below are left out of the codes of small ones. */
  private static final int SMALL_SHIFT = 34;

  private static final int LARGE_SHIFT = 33;

  private static final int FIRST_LINEAR = 1 << 28;
  private static final int FIRST_LARGE = FIRST_LINEAR + (1 << 30);
  private static final long LARGE_BITS = Double.doubleToRawLongBits(LINEAR_TO) >>> LARGE_SHIFT;

  /** Bits of each coordinate that one look into the table takes. */
  private static final int STEP = 4;

  private static final int STEP_MASK = (1 << STEP) - 1;

  /**
   * For a state in bits 8 to 9, four bits of x and four of y: eight bits of the position, and above
   * them the next state. A state says whether the axes are swapped and whether they are reversed.
   */
  private static final short[] TABLE = newTable();

  private HilbertCurve() {}

  /** Position of the cell of a point with finite coordinates. */
  public static long position(double x, double y) {
    return position(code(x), code(y));
  }

  /** Position of the cell of a rectangle's centre. */
  public static long position(Rectangle rectangle) {
    return position(
        middle(rectangle.minX(), rectangle.maxX()), middle(rectangle.minY(), rectangle.maxY()));
  }

  private static double middle(double low, double high) {
    // Halved first, so that it does not overflow; where halving would lose a bit, both are tiny.
    return low == high ? low : low * 0.5 + high * 0.5;
  }

  /** The unsigned 32-bit code of a coordinate; monotone. */
  static int code(double value) {
    double magnitude = Math.abs(value);
    int code;
    if (magnitude >= LINEAR_TO) {
      long bits = Double.doubleToRawLongBits(magnitude);
      code = FIRST_LARGE + (int) ((bits >>> LARGE_SHIFT) - LARGE_BITS);
    } else if (magnitude >= LINEAR_FROM) {
      code = FIRST_LINEAR + (int) (magnitude * CODES_PER_UNIT);
    } else {
      code = (int) (Double.doubleToRawLongBits(magnitude) >>> SMALL_SHIFT);
    }
    return (value < 0 ? ~code : code) ^ Integer.MIN_VALUE;
  }

  /** Position of a cell, from unsigned codes. */
  static long position(int x, int y) {
    long position = 0;
    int state = 0;
    for (int shift = Integer.SIZE - STEP; shift >= 0; shift -= STEP) {
      int bits = (((x >>> shift) & STEP_MASK) << STEP) | ((y >>> shift) & STEP_MASK);
      int found = TABLE[state | bits];
      position = (position << (2 * STEP)) | (found & 0xFF);
      state = found & 0x300;
    }
    return position;
  }

  private static short[] newTable() {
    short[] table = new short[1024];
    for (int index = 0; index < table.length; index++) {
      boolean swapped = (index & 0x100) != 0;
      boolean reversed = (index & 0x200) != 0;
      int position = 0;
      for (int bit = STEP - 1; bit >= 0; bit--) {
        int x = ((index >>> (STEP + bit)) & 1) ^ (reversed ? 1 : 0);
        int y = ((index >>> bit) & 1) ^ (reversed ? 1 : 0);
        int across = swapped ? y : x;
        int up = swapped ? x : y;
        position = (position << 2) | ((3 * across) ^ up);
        // The quarters beside the open end are passed along the other axis.
        if (up == 0) {
          swapped = !swapped;
          reversed ^= across == 1;
        }
      }
      table[index] = (short) (position | (swapped ? 0x100 : 0) | (reversed ? 0x200 : 0));
    }
    return table;
  }
}
