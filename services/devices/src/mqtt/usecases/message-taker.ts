import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeConfig } from '@catchment/contracts/nodes';
import { SparkplugPayload } from '@catchment/contracts/sparkplug';
import { instantsOf, jtsSeries, jtsTime } from '@catchment/delimited-text';
import { DomainError, invalid, received, toDomainError, tooLarge } from '@catchment/errors';
import { isJsonObject, parseJsonBody } from '@catchment/json-body';
import { effectiveZone, formatIsoMs } from '@catchment/time';
import { LRUCache } from 'lru-cache';
import { type DeliverDeps, deliverFile } from '../../files/index.ts';
import type { MessageMemory } from '../../listening/index.ts';
import {
  type FileBytes,
  type FileEvent,
  IGNORED,
  isNamedZip,
  processFile,
  takesFiles,
  withoutGz,
} from '../../reading/index.ts';
import {
  eventSource,
  type FileSource,
  type FileWrites,
  ignored,
  isRefusal,
  MAX_INTERNAL_FAILURES,
  parserFor,
  shownName,
  type WriteToSource,
} from '../../sources/index.ts';
import type { SparkplugSession, Taken } from '../domain/sparkplug-session.ts';
import type { SparkplugTopic } from '../domain/topic.ts';
import { UnpackedTooLarge, unpacked } from './packed-payload.ts';
import type { Refusals } from './refusals.ts';

type TakerDeps = DeliverDeps & {
  readonly write: WriteToSource;
  readonly historic: FileWrites;
  /** Returns the settings by which files of a source are read. */
  readonly fileSettings: (source: { sourceId: string; ownerId: string }) => Promise<FileSource>;
  readonly refusals: Refusals;
  /** Memory for all messages that are being read. */
  readonly memory: MessageMemory;
};

type Incoming = {
  /** The source's file name. */
  readonly name: string;
  readonly payload: Buffer;
  /** A message whose service is away is tried again until this aborts. */
  readonly keep: AbortSignal;
};

/** A document up to this is written at once. */
const DOCUMENT_BYTES = 4 * 1024 * 1024;
/** A text up to this is read at once; a larger text is stored as a file first. */
const TEXT_BYTES = 256 * 1024;
/** Sources whose settings are held. */
const SETTINGS = 2_000;
const RETRY_MS = [500, 1_000, 2_000, 5_000];
const JTS = 'source.data.Jts';
const TEXT = 'source.data.TextParser';

/** Stores what messages bring, by the class of their source. */
export class MessageTaker {
  readonly #deps: TakerDeps;
  /** Settings are kept by source, with their revision. */
  readonly #settings = new LRUCache<string, { revision: number; settings: FileSource }>({ max: SETTINGS });
  /** The last message of a source is read as a file: the next message waits for it. */
  readonly #last = new Map<string, Promise<void>>();

  constructor(deps: TakerDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves once nothing can be lost any more: the ingest log or the store of files has it.
   * @throws DomainError a refusal: it can never be stored; any other: not now
   */
  take(source: NodeConfig, message: Incoming): Promise<void> {
    if (source.class === JTS && (message.payload.length <= DOCUMENT_BYTES || !takesFiles(JTS)))
      return this.#inMemory(source, message, () => this.#takeDocument(source, message));
    if (!takesFiles(source.class))
      throw invalid('NODE_KIND', `source: one of class ${source.class} takes no messages by MQTT`);
    return this.#inTurn(source.nodeId, () => this.#retried(message.keep, () => this.#takeFile(source, message)));
  }

  /** A message of Sparkplug B. @returns what is wrong with it although it was stored */
  async takeSparkplug(
    source: NodeConfig,
    { session, topic, keep, ...given }: Omit<Incoming, 'name'> & { session: SparkplugSession; topic: SparkplugTopic },
  ): Promise<Omit<Taken, 'documents'>> {
    if (source.class !== JTS) throw invalid('NODE_KIND', `source: Sparkplug B needs one of class ${JTS}`);
    const payload = unpackedOf(given.payload);
    return this.#inMemory(source, { payload, keep }, async () => {
      let taken: Taken;
      try {
        taken = session.take(topic, SparkplugPayload.decode(payload), this.#deps.now());
      } catch (cause) {
        throw noSparkplug(cause);
      }
      await Promise.all(
        taken.documents.map((document) => this.#write(source, document, `Sparkplug ${topic.type}`, keep)),
      );
      return taken;
    });
  }

  #inMemory<T>(
    { ownerId }: NodeConfig,
    { payload, keep }: { payload: Uint8Array; keep: AbortSignal },
    work: () => Promise<T>,
  ) {
    return this.#deps.memory.run(ownerId, payload.length, work, keep);
  }

  async #takeDocument(source: NodeConfig, { payload, name, keep }: Incoming): Promise<void> {
    const document = inZone(parseJsonBody(payload), source, this.#deps.now());
    await this.#write(source, document, originOf(name), keep);
  }

  #write({ nodeId: sourceId, ownerId, source }: NodeConfig, document: unknown, origin: string, keep: AbortSignal) {
    return this.#deps.write({ sourceId, ownerId, writeMode: source?.writeMode ?? '' }, document, origin, keep);
  }

  async #takeFile(node: NodeConfig, { payload, name: fileName }: Incoming): Promise<void> {
    const { historic, refusals, now } = this.#deps;
    const source = await this.#settingsOf(node);
    const report = (events: readonly FileEvent[]) =>
      refusals.record(events.map((event) => ({ ...event, source: eventSource(node), timeMs: now() })));
    if (!isNamedZip(fileName) && !parserFor(source, withoutGz(fileName), fileName))
      return report([{ level: 'DEBUG', message: ignored(fileName) }]);
    if (node.class !== TEXT || payload.length > TEXT_BYTES) {
      await deliverFile(this.#deps, { source, fileName, bytes: piecesOf(payload) });
      return;
    }
    const { outcome, events } = await processFile(historic, {
      source,
      fileName,
      arrivedMs: now(),
      recordsDone: 0,
      signal: AbortSignal.any([]),
      bytes: bytesOf(payload),
      progress: async () => {},
    });
    report(events);
    const { refusal } = outcome;
    if (refusal && refusal.reason !== IGNORED) throw received(refusal);
  }

  async #settingsOf({ nodeId: sourceId, ownerId, revision }: NodeConfig): Promise<FileSource> {
    const known = this.#settings.get(sourceId);
    if (known && known.revision >= revision) return known.settings;
    const settings = await this.#deps.fileSettings({ sourceId, ownerId });
    this.#settings.set(sourceId, { revision, settings });
    return settings;
  }

  /** Works on the messages of a source one after the other. */
  async #inTurn(sourceId: string, work: () => Promise<void>): Promise<void> {
    const before = this.#last.get(sourceId);
    const turn = (async () => {
      await before?.catch(() => {});
      await work();
    })();
    this.#last.set(sourceId, turn);
    try {
      await turn;
    } finally {
      if (this.#last.get(sourceId) === turn) this.#last.delete(sourceId);
    }
  }

  async #retried(keep: AbortSignal, work: () => Promise<void>): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        const { kind } = toDomainError(error);
        const isOver =
          isRefusal(kind) || kind === 'not_found' || (kind === 'internal' && tries >= MAX_INTERNAL_FAILURES);
        if (isOver || keep.aborted) throw error;
        await sleep(RETRY_MS[Math.min(tries, RETRY_MS.length - 1)], undefined, { signal: keep }).catch(() => {
          throw error;
        });
      }
    }
  }
}

const noSparkplug = (cause: unknown): DomainError =>
  invalid('INVALID_BODY', `payload: is none of Sparkplug B (${(cause as Error).message})`);

/** Unpacks synchronously, so that births and data stay in their order. */
function unpackedOf(payload: Buffer): Uint8Array {
  try {
    return unpacked(payload);
  } catch (cause) {
    if (cause instanceof UnpackedTooLarge) throw tooLarge(cause.message);
    throw noSparkplug(cause);
  }
}

const DEFAULT_NAME = 'data';
/** Events name a message by this. */
const originOf = (name: string): string => (name === DEFAULT_NAME ? 'MQTT' : shownName(name));

/** Times of a document that name no zone are in that of the source (docs/reference/acquisition.md#time-zone-of-data). */
function inZone(document: unknown, { source }: NodeConfig, nowMs: number): unknown {
  const { timezone = '', timezoneAdjustForDst = false } = source ?? {};
  if (timezone === '' || timezone === 'Etc/UTC' || !isJsonObject(document) || !Array.isArray(document.data))
    return document;
  const zone = effectiveZone(timezone, timezoneAdjustForDst, nowMs);
  const rows: readonly unknown[] = document.data;
  const timed = rows.flatMap((row, n) => {
    const time = isJsonObject(row) && typeof row.ts === 'string' ? jtsTime(row.ts) : undefined;
    if (!isJsonObject(row) || !time) return [];
    return [{ n, time, series: isJsonObject(row.f) ? jtsSeries(row.f) : [] }];
  });
  const instants = instantsOf(timed, zone);
  const found = new Map(timed.map(({ n }, at) => [n, instants[at] ?? 0]));
  const data = rows.map((row, n) => {
    const ms = found.get(n);
    return ms === undefined || !isJsonObject(row) ? row : { ...row, ts: formatIsoMs(ms) };
  });
  return { ...document, data };
}

const PIECE_BYTES = 64 * 1024;

async function* piecesOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

const bytesOf = (bytes: Buffer): FileBytes => ({
  size: bytes.length,
  range: (start, end) => piecesOf(bytes.subarray(start, end)),
});

export const isRefused = (error: unknown): error is DomainError =>
  error instanceof DomainError && (isRefusal(error.kind) || error.kind === 'internal');
