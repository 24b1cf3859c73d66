package dev.varve.hyracks.operator;

import dev.varve.common.error.RequestException;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.RegionQuery;
import java.io.Serializable;

/** Questions to an R-tree or an inverted index, in a form that travels inside a job. Values. */
public sealed interface SearchTerms extends Serializable {
  /**
   * The search of a partition that these terms stand for.
   *
   * @throws RequestException when a number is none to search with
   */
  IndexSearch toSearch() throws RequestException;

  /** How many records of each partition can be among the result. */
  default long most() {
    return Long.MAX_VALUE;
  }

  /**
   * Entries that are at most so far from a point.
   *
   * @param x of the point
   * @param y of the point
   * @param distance in the unit of the coordinates
   */
  record Near(double x, double y, double distance) implements SearchTerms {
    private static final long serialVersionUID = 1L;

    @Override
    public IndexSearch toSearch() throws RequestException {
      return new SpatialSearch(RegionQuery.within(distance, x, y));
    }
  }

  /**
   * Entries that have a point in common with a rectangle, borders included.
   *
   * @param minX lowest x
   * @param minY lowest y
   * @param maxX highest x
   * @param maxY highest y
   */
  record Window(double minX, double minY, double maxX, double maxY) implements SearchTerms {
    private static final long serialVersionUID = 1L;

    @Override
    public IndexSearch toSearch() throws RequestException {
      return new SpatialSearch(RegionQuery.intersecting(Rectangle.of(minX, minY, maxX, maxY)));
    }
  }

  /**
   * Entries that are nearest to a point, nearest first.
   *
   * @param x of the point
   * @param y of the point
   * @param records how many
   */
  record Nearest(double x, double y, int records) implements SearchTerms {
    private static final long serialVersionUID = 1L;

    /** Checks the number. */
    public Nearest {
      if (records < 1) {
        throw new IllegalArgumentException("the nearest " + records + " records");
      }
    }

    @Override
    public IndexSearch toSearch() throws RequestException {
      Rectangle point = Rectangle.point(x, y);
      return new NearestSearch(point.minX(), point.minY());
    }

    @Override
    public long most() {
      return records;
    }
  }

  /**
   * Records with a text that is like another one.
   *
   * @param match in what way
   * @param text the words, the phrase, the substring, or the text to be similar to
   * @param bound what {@code match} says about it; 0 where it says nothing
   */
  record Text(TextSearch.Match match, String text, double bound) implements SearchTerms {
    private static final long serialVersionUID = 1L;

    /** Checks the bound. */
    public Text {
      TextSearch checked = new TextSearch(match, text, bound);
      assert checked.bound() == bound;
    }

    /** Where the match needs no bound. */
    public Text(TextSearch.Match match, String text) {
      this(match, text, 0);
    }

    @Override
    public IndexSearch toSearch() {
      return new TextSearch(match, text, bound);
    }
  }
}
