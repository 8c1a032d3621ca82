import type { NodeConfig } from '@catchment/contracts/nodes';
import { DomainError } from '@catchment/errors';
import { printable } from '@catchment/ids';
import type { Logger } from '@catchment/telemetry';
import { effectiveZone } from '@catchment/time';
import { LRUCache } from 'lru-cache';
import { counted, type FileWrites, type PushSources, type SourceEvent } from '../../sources/index.ts';
import { stationDocuments } from '../domain/station-document.ts';
import { type StationMessage, StationRefusal } from '../domain/station-message.ts';
import type { Store } from './ports.ts';

type StationDeps = {
  readonly pushSources: Pick<PushSources, 'find'>;
  readonly historic: Pick<FileWrites, 'writeFile'>;
  readonly store: Pick<Store, 'transaction'>;
  readonly log: Logger;
  readonly now: () => number;
};

/** Transport of the sources of all stations. */
const TRANSPORT = 'TcpServer';
/** The same refusal of a source is reported once in this time. */
const REPORTED_MS = 10 * 60_000;
const MAX_REPORTED = 10_000;

/** Makes records of their sources of what stations send (docs/reference/iot.md#stations). */
export class Stations {
  readonly #deps: StationDeps;
  readonly #reported: LRUCache<string, true>;

  constructor(deps: StationDeps) {
    this.#deps = deps;
    this.#reported = new LRUCache({ max: MAX_REPORTED, ttl: REPORTED_MS, perf: { now: deps.now } });
  }

  /**
   * The source of a station.
   * @throws StationRefusal nobody has it, or its source takes none; DomainError unavailable
   */
  async sourceOf(sites: readonly string[], sourceClass: string): Promise<NodeConfig> {
    for (const site of sites) {
      const found = await this.#deps.pushSources.find(TRANSPORT, site);
      if (!found) continue;
      const { source } = found;
      if (source.class !== sourceClass) {
        const reason = `the station speaks as ${sourceClass} does, the source is a ${source.class}`;
        await this.report(source, reason);
        throw new StationRefusal(reason);
      }
      if (source.source?.isEnabled === false) throw new StationRefusal('the source is disabled');
      return source;
    }
    throw new StationRefusal(`no source has the siteId ${sites.map((site) => `'${site.slice(0, 60)}'`).join(' or ')}`);
  }

  /**
   * Resolves once the ingest log has the records.
   * @param origin of the events, such as "Waspmote"
   * @returns how many rows
   * @throws StationRefusal what can never be stored; DomainError unavailable …
   */
  async take(source: NodeConfig, message: StationMessage, origin: string, signal: AbortSignal): Promise<number> {
    const { historic, now } = this.#deps;
    const { timezone, timezoneAdjustForDst = false } = source.source ?? {};
    const zone = effectiveZone(timezone || 'Etc/UTC', timezoneAdjustForDst, now());
    let taken = 0;
    const write = async () => {
      for (const { document, rows } of stationDocuments(message, zone, now())) {
        const records = {
          source: { _id: source.nodeId, ownerId: source.ownerId },
          body: Buffer.from(JSON.stringify(document)),
          writeMode: source.source?.writeMode ?? '',
          origin,
          continues: false,
        };
        await historic.writeFile(records, signal);
        taken += rows;
      }
    };
    try {
      await counted(TRANSPORT, write, isFinal);
    } catch (error) {
      throw isFinal(error) ? new StationRefusal(error.message) : error;
    }
    return taken;
  }

  /**
   * Reports to people of a source why something of its station was refused; the same reason once in a while. Never
   * throws.
   */
  async report(source: NodeConfig, reason: string): Promise<void> {
    const { store, now, log } = this.#deps;
    const message = printable(`Refused data from station: ${reason}`.slice(0, 500));
    const mark = `${source.nodeId} ${message}`;
    if (this.#reported.has(mark)) return;
    this.#reported.set(mark, true);
    const { nodeId: sourceId, ownerId, workspaceId, class: sourceClass } = source;
    const event: SourceEvent = {
      source: { sourceId, ownerId, workspaceId, sourceClass },
      level: 'WARNING',
      message,
      timeMs: now(),
    };
    await store
      .transaction((tx) => tx.recordEvents([event]))
      .catch((err: unknown) => log.warn({ err, sourceId }, 'refusal of a station could not be recorded'));
  }
}

const isFinal = (error: unknown): error is DomainError | StationRefusal =>
  error instanceof StationRefusal || (error instanceof DomainError && FINAL.has(error.kind));
/** Sent again it would be refused again. */
const FINAL: ReadonlySet<DomainError['kind']> = new Set([
  'invalid_argument',
  'out_of_range',
  'too_large',
  'failed_precondition',
  'not_found',
]);
