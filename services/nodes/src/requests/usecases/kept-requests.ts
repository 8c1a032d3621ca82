import type { Queryable } from '@catchment/pg';
import { checkRoom } from '../domain/keyed-request.ts';
import { keptOf } from '../store/keyed-requests-query.ts';

/** Counting those of a large account takes some hundredths of a second: the count may be this old, and knows what came here since. */
const COUNTED_MS = 10_000;
const MAX_COUNTS = 10_000;

type Count = { requests: number; readonly bytes: number; readonly untilMs: number };

/** Estimates what accounts have kept: each replica counts for itself. */
export class KeptRequests {
  readonly #counts = new Map<string, Count>();

  /** @throws DomainError resource_exhausted where the account has too many */
  async check(on: Queryable, ownerId: string): Promise<void> {
    const known = this.#counts.get(ownerId);
    const count = known && known.untilMs > performance.now() ? known : await this.#countOf(on, ownerId);
    checkRoom(count);
  }

  added(ownerId: string): void {
    const count = this.#counts.get(ownerId);
    if (count) count.requests += 1;
  }

  async #countOf(on: Queryable, ownerId: string): Promise<Count> {
    const count = { ...(await keptOf(on, ownerId)), untilMs: performance.now() + COUNTED_MS };
    if (this.#counts.size >= MAX_COUNTS) this.#counts.clear();
    this.#counts.set(ownerId, count);
    return count;
  }
}
