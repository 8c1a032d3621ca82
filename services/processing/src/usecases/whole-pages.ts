import { LRUCache } from 'lru-cache';
import type { Plan } from '../domain/plan.ts';
import type { IngestLog, StoredProgram } from './ports.ts';
import { type Page, type PageRequest, type ReadDeps, readPage } from './read-page.ts';

type WholePagesDeps = ReadDeps & { readonly log: Pick<IngestLog, 'end' | 'areStored'> };

type FirstRead = {
  /** The last time of the page that was read first, Unix ms: no page goes beyond it. */
  readonly untilMs: number;
  /** The end of the ingest log after this read: what the page has seen came before. */
  readonly sequence: number;
};

/** A shard of the store begins at midnight UTC, whatever its length in days. */
const DAY_MS = 86_400_000;
const MAX_PROGRAMS = 20_000;

/**
 * Reads pages of which no document is seen in part. The store writes a document shard by shard, so that its last weeks may be there before
 * its first ones; a program that passed by these would never evaluate them (docs/reference/processing-and-ratings.md#program-runs). A page of
 * several days is therefore read once more when the store has all that the log had after the first read, and up to where that ended.
 */
export class WholePages {
  readonly #deps: WholePagesDeps;
  /** First reads that wait for the store. Losing one has no effect on results: the page is read first again. */
  readonly #waiting = new LRUCache<string, FirstRead>({ max: MAX_PROGRAMS });

  constructor(deps: WholePagesDeps) {
    this.#deps = deps;
  }

  /** @returns undefined where the store does not have all yet: the caller comes again a moment later */
  async read(
    { nodeId, planVersion = '' }: Pick<StoredProgram, 'nodeId' | 'planVersion'>,
    plan: Plan,
    request: Omit<PageRequest, 'untilMs'>,
  ): Promise<Page | undefined> {
    const { log } = this.#deps;
    const key = `${nodeId} ${planVersion} ${request.afterMs}`;
    let first = this.#waiting.get(key);
    for (;;) {
      request.signal.throwIfAborted();
      if (first && !(await log.areStored(plan.inputs, first.sequence))) {
        this.#waiting.set(key, first);
        return undefined;
      }
      const page = await readPage(this.#deps, plan, { ...request, untilMs: first?.untilMs });
      const lastMs = page.times.at(-1);
      if (lastMs === undefined || lastMs === first?.untilMs || isOfOneDay(request.afterMs, lastMs)) {
        this.#waiting.delete(key);
        return first ? { ...page, isLast: false } : page;
      }
      // A second read that ends earlier has seen more, of which nothing is known yet.
      first = { untilMs: lastMs, sequence: await log.end() };
    }
  }
}

const isOfOneDay = (afterMs: number | undefined, lastMs: number): boolean =>
  afterMs !== undefined && Math.floor(afterMs / DAY_MS) === Math.floor(lastMs / DAY_MS);
