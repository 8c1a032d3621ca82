import type { FeedPart, ReadFeedRequest } from '@catchment/contracts/feed';
import type { CallOptions } from '@catchment/grpc';

/** A kind of stream, as the service that owns its data offers it. */
export type Feed = {
  /** Reads the next part of a stream, with the rights of the caller at this moment. @throws DomainError */
  read(request: ReadFeedRequest, options: CallOptions): Promise<FeedPart>;
  /**
   * Accounts that may have something new, until aborted; 'all' where some may have been missed.
   * @param accounts that are asked about
   */
  watch(accounts: () => readonly string[], signal: AbortSignal): AsyncIterable<readonly string[] | 'all'>;
  /** Two reads of an account are at least this far apart. */
  readonly pauseMs: number;
};
