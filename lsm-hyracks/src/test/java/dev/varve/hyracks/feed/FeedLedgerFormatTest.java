package dev.varve.hyracks.feed;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.bytes.Golden;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Goal: positions of feeds that were put by any version are read. Method: the worked examples of
 * docs/format/feeds.md as golden bytes.
 */
final class FeedLedgerFormatTest {
  private static final FeedPosition NOW =
      new FeedPosition("a.csv", 3, 1_000, 65_536, 240, Map.of(RefusalReason.MALFORMED_RECORD, 2L));

  private static Slice key() {
    return new KeyEncoder()
        .addString("places")
        .addLong(7)
        .addString("morning")
        .addLong(3)
        .addString("a.csv")
        .toSlice();
  }

  @Test
  void aPositionIsPutAsItsPageSays() {
    byte[] value = FeedLedger.value(NOW);
    Golden.requireSame("v2/feed-key.txt", "feeds.md", Golden.dump(key().toByteArray()));
    Golden.requireSame("v2/feed-position.txt", "feeds.md", Golden.dump(value));
    assertEquals(NOW, FeedLedger.position(key(), new Slice(value)));
  }

  @Test
  void aPositionWithoutAnOffsetIsRead() {
    FeedPosition before =
        new FeedPosition("a.csv", 3, 1_000, FeedPosition.NO_OFFSET, 240, NOW.refused());
    Slice value = new Slice(Golden.bytes("v1/feed-position.txt"));
    assertEquals(before, FeedLedger.position(key(), value));
    Slice withoutRefusals = new KeyEncoder().addLong(1_000).addLong(240).toSlice();
    assertEquals(
        new FeedPosition("a.csv", 3, 1_000, FeedPosition.NO_OFFSET, 240, Map.of()),
        FeedLedger.position(key(), withoutRefusals));
  }
}
