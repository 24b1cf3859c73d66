package dev.varve.benchmarks.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.store.AccountStoreKind;
import dev.varve.benchmarks.store.StoreDurability;
import dev.varve.benchmarks.store.StoreMemory;
import dev.varve.benchmarks.store.StoreSettings;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each store transfers, reads and adds up; what is added up is what was put in, and what is held is
 * taken back.
 */
final class TransferServerTest {
  private static final long ACCOUNTS = 1_000;

  @TempDir private Path directory = Path.of("");

  @ParameterizedTest
  @EnumSource
  void transfersAndSumsAreCounted(AccountStoreKind kind) throws BenchmarkException {
    TransferServer server =
        new TransferServer(new LocalFileSystem(), new SystemClock(), new ThreadTaskExecutor());
    StoreSettings settings =
        new StoreSettings(
            directory,
            StoreDurability.PROCESS_CRASH,
            new StoreMemory(32 << 20, 8 << 20),
            Long.BYTES);
    Work work = new Work("transfer", 0, new Work.Span(0, ACCOUNTS), Work.Effort.lasting(2, 0.2));
    for (TransferRequest request :
        List.of(
            new TransferRequest(kind, settings, 10, 0, work),
            new TransferRequest(kind, settings, 0, 0, work),
            new TransferRequest(kind, settings, 0, TransferServer.HELD, work),
            new TransferRequest(kind, settings, 10, 0, work))) {
      TransferRequest.Answer answer = Objects.requireNonNull(server.answer(request, share -> {}));
      assertTrue(answer.measurement().operations() > 0, answer.toString());
      assertTrue(answer.measurement().found().rows() > 0, answer.toString());
      assertEquals(0, answer.measurement().wrongAnswers());
    }
    TransferRequest last = new TransferRequest(kind, settings, 0, 0, null);
    assertTrue(server.isLast(last));
    assertNull(server.answer(last, share -> {}));
  }
}
