import type { AlarmEventCount } from '@catchment/contracts/events';
import type { EventCount, GetPageResponse, GetTileResponse } from '@catchment/contracts/pages';
import type { DashboardView, TileView } from '@catchment/dashboard-view';
import type { CallerSigner, CallOptions } from '@catchment/grpc';
import { LRUCache } from 'lru-cache';
import type { Peers } from '../ports.ts';
import type { Visit } from './visit.ts';

const CALL_MS = 30_000;
/** Counts of events are as old at most; an alarm paints its tile at once. */
const COUNTS_REMEMBERED_MS = 5_000;
const COUNTS = 5_000;

export type PageDeps = {
  readonly pages: Peers['pages'];
  readonly events: Pick<Peers['events'], 'countAlarmEvents'>;
  readonly signer: CallerSigner;
  readonly mapTiles: DashboardView['mapTiles'];
};

type ReadPage = { readonly ownerId: string; readonly nodeId: string; readonly view: DashboardView };

/** Puts together what pages show from what the services know. */
export class PageReader {
  readonly #deps: PageDeps;
  readonly #counts: LRUCache<string, Promise<readonly AlarmEventCount[]>>;

  constructor(deps: PageDeps) {
    this.#deps = deps;
    this.#counts = new LRUCache({ max: COUNTS, ttl: COUNTS_REMEMBERED_MS });
  }

  /** @throws DomainError, HttpProblem */
  async view(visit: Visit, signal?: AbortSignal): Promise<ReadPage> {
    const { page, basePath } = visit;
    const read = await this.#deps.pages.getPage({ page, basePath }, await this.#optionsOf(visit, signal));
    const view = JSON.parse(Buffer.from(read.view).toString()) as DashboardView;
    const counts = new Map(await Promise.all(read.counts.map(async (count) => this.#countsOf(read, count))));
    const tiles = view.tiles.map((tile) => withCounts(tile, counts.get(tile.id)));
    const { ownerId, nodeId } = read;
    return { ownerId, nodeId, view: { ...view, mapTiles: this.#deps.mapTiles, tiles } };
  }

  /** Reads the data of a tile. @throws DomainError, HttpProblem */
  async tile(
    visit: Visit,
    tileId: string,
    { start = '', end = '' }: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<GetTileResponse> {
    const { page } = visit;
    return this.#deps.pages.getTile({ page, tileId, start, end }, await this.#optionsOf(visit, signal));
  }

  async #optionsOf(visit: Visit, signal: AbortSignal | undefined): Promise<CallOptions> {
    const token = await this.#deps.signer.sign(await visit.caller());
    return { token, timeoutMs: CALL_MS, ...(signal && { signal }) };
  }

  async #countsOf({ ownerId, nodeId }: GetPageResponse, asked: EventCount) {
    const { tileId, ...what } = asked;
    const { startMs: _start, endMs: _end, ...whose } = what;
    const key = JSON.stringify([ownerId, nodeId, tileId, whose]);
    const known = this.#counts.get(key) ?? this.#count(ownerId, what);
    this.#counts.set(key, known, { noUpdateTTL: true });
    known.catch(() => this.#counts.delete(key));
    return [tileId, await known] as const;
  }

  async #count(ownerId: string, what: Omit<EventCount, 'tileId'>): Promise<readonly AlarmEventCount[]> {
    const token = await this.#deps.signer.sign({ kind: 'service', service: 'gateway' });
    return (await this.#deps.events.countAlarmEvents({ ownerId, ...what }, { token, timeoutMs: CALL_MS })).counts;
  }
}

function withCounts(tile: TileView, counts: readonly AlarmEventCount[] = []): TileView {
  const { content } = tile;
  if (content.type !== 'ALARM_SUMMARY') return tile;
  return { ...tile, content: { ...content, counts: counts.map(({ eventType, count }) => ({ eventType, count })) } };
}
