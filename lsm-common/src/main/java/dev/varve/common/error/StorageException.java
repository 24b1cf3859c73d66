package dev.varve.common.error;

import org.jspecify.annotations.Nullable;

/**
 * What every operation of the engine may throw. The family is closed: {@link CorruptionException}
 * (bytes on disk are not what was written), {@link FormatVersionException} (another version wrote
 * them), {@link DiskException} (the operating system refused), {@link ConflictException} (someone
 * else is in the way), {@link LimitException} (a documented bound), {@link RequestException} (the
 * request itself is wrong) and {@link OutcomeUnknownException} (a commit whose fate only recovery
 * can tell). Misuse of the API and use after close are unchecked.
 */
public abstract sealed class StorageException extends Exception
    permits CorruptionException,
        FormatVersionException,
        DiskException,
        ConflictException,
        LimitException,
        RequestException,
        OutcomeUnknownException {
  private static final long serialVersionUID = 1L;

  StorageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
