import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { DomainError, received, toDomainError } from '@catchment/errors';
import { type Repeated, repeat } from '@catchment/service';
import type { Logger } from '@catchment/telemetry';
import {
  type FileOutcome,
  fileKindOf,
  type Processed,
  processImport,
  storedBytes,
  type WiredKinds,
} from '../../reading/index.ts';
import { fileSettled } from '../../schedules/index.ts';
import { type FileWrites, type SourceEvent, shownName } from '../../sources/index.ts';
import { endOf, givenUp, isGivenUp, nextTry } from '../domain/file-end.ts';
import { eventSource } from './hand-over-file.ts';
import type { FileInWork, Store } from './ports.ts';

export type WorkerDeps = {
  readonly store: Store;
  readonly historic: FileWrites;
  /** Files of classes that need another service are read by these. */
  readonly kinds?: WiredKinds;
  readonly log: Logger;
  readonly now: () => number;
};

/** Files in work at a time: each holds a piece of its bytes and a part of its records. */
const AT_ONCE = 4;
/** Files that another replica accepted or released are found after this time. */
const POLL_EVERY_MS = 2_000;
const SWEEP_EVERY_MS = 60_000;
const RENEW_EVERY_MS = 10_000;
/** Processes uploaded files, each in its turn, until its outcome is known; any replica may continue another's work. */
export class FileWorker {
  readonly #deps: WorkerDeps;
  readonly #stopping = new AbortController();
  readonly #inWork = new Set<Promise<void>>();
  readonly #settled = new EventEmitter().setMaxListeners(0);
  #loops: Repeated[] = [];
  #filling: Promise<void> | undefined;
  #isWoken = false;

  constructor(deps: WorkerDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { store, log } = this.#deps;
    const wake = async () => this.wake();
    this.#loops = [
      repeat(wake, { everyMs: POLL_EVERY_MS, failed: 'files could not be claimed', log }),
      repeat(() => store.sweepFiles(), { everyMs: SWEEP_EVERY_MS, failed: 'files could not be swept', log }),
    ];
  }

  /** There is, or may be, work. */
  wake(): void {
    this.#isWoken = true;
    this.#filling ??= this.#fill().finally(() => {
      this.#filling = undefined;
    });
  }

  /**
   * Returns the outcome of a file; undefined when it is not known within the time, or the process stops.
   * @throws DomainError the refusal of the file; cancelled when the caller leaves
   */
  async outcome(fileId: string, limitMs: number, signal: AbortSignal): Promise<FileOutcome['report']> {
    const { store, now } = this.#deps;
    const endMs = now() + limitMs;
    for (;;) {
      const outcome = await store.readOutcome(fileId);
      if (outcome?.refusal) throw received(outcome.refusal);
      signal.throwIfAborted();
      if (outcome || now() >= endMs || this.#stopping.signal.aborted) return outcome?.report;
      await this.#news(fileId, Math.min(1_000, endMs - now()));
    }
  }

  /** Releases the files in work; callers that wait for an outcome are answered. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DomainError('cancelled', 'STOPPING', 'The process stops'));
    for (const name of this.#settled.eventNames()) this.#settled.emit(name);
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await this.#filling;
    await Promise.all(this.#inWork);
  }

  #news(fileId: string, limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#settled.off(fileId, done);
        resolve();
      };
      const timer = setTimeout(done, limitMs);
      this.#settled.on(fileId, done);
    });
  }

  async #fill(): Promise<void> {
    const { store, log } = this.#deps;
    while (this.#isWoken && !this.#stopping.signal.aborted) {
      this.#isWoken = false;
      try {
        while (this.#inWork.size < AT_ONCE && !this.#stopping.signal.aborted) {
          const leaseId = randomUUID();
          const file = await store.claimFile(leaseId);
          if (!file) break;
          const work = this.#work(file, leaseId).finally(() => {
            this.#inWork.delete(work);
            this.#settled.emit(file.fileId);
            this.wake();
          });
          this.#inWork.add(work);
        }
      } catch (err) {
        log.warn({ err }, 'files could not be claimed');
      }
    }
  }

  async #work(file: FileInWork, leaseId: string): Promise<void> {
    const { store, log } = this.#deps;
    const { fileId } = file;
    const given = new AbortController();
    const signal = AbortSignal.any([this.#stopping.signal, given.signal]);
    const renewing = setInterval(() => {
      store.renewLease(fileId, leaseId).catch((error: unknown) => {
        // A database that is away for a moment does not take the file from us.
        if (error instanceof DomainError && error.kind === 'cancelled') given.abort(error);
      });
    }, RENEW_EVERY_MS);
    try {
      await this.#settle(file, leaseId, await this.#process(file, leaseId, signal));
    } catch (error) {
      const next = nextTry(error, signal.aborted);
      if (next.counts) log.error({ err: error, fileId }, 'file could not be processed');
      await store
        .releaseFile({ fileId, leaseId, ...next })
        .catch((err: unknown) => log.warn({ err, fileId }, 'file could not be given back; its lease will end'));
    } finally {
      clearInterval(renewing);
    }
  }

  async #process(file: FileInWork, leaseId: string, signal: AbortSignal): Promise<Processed> {
    const { store, historic, kinds, now } = this.#deps;
    const { fileId, fileName, arrivedMs, recordsDone } = file;
    const source = { acquisitionId: fileId, ...file.source };
    if (isGivenUp(file, now())) return givenUp(fileName);
    const read = (segment: number, from: number, length: number) => store.readPiece(fileId, { segment, from, length });
    const bytes = storedBytes(file, read, signal);
    const progress = (done: number) => store.renewLease(fileId, leaseId, done);
    try {
      const toProcess = { source, fileName, bytes, arrivedMs, recordsDone, progress, signal };
      if (!source.importing) return await fileKindOf(source.sourceClass, kinds)(historic, toProcess);
      const surveyed = (records: number) => store.saveImportTotal(fileId, records);
      return await processImport(historic, { ...toProcess, surveyed });
    } catch (error) {
      const { kind, reason, message } = toDomainError(error);
      // Its source was deleted meanwhile.
      if (kind === 'not_found') return { outcome: { refusal: { kind, reason, message } }, events: [] };
      throw error;
    }
  }

  async #settle(file: FileInWork, leaseId: string, { outcome, events, latestMs }: Processed): Promise<void> {
    const { store, now } = this.#deps;
    const reported = [...events, ...endOf(file, outcome, events)].map(
      (event): SourceEvent => ({ ...event, source: eventSource(file.source), timeMs: now() }),
    );
    await store.transaction(async (tx) => {
      await tx.settleFile(file.fileId, leaseId, outcome);
      if (file.source.importing)
        await tx.endImport(file.fileId, { state: outcome.refusal ? 'FAILED' : 'DONE', outcome });
      await tx.recordEvents(reported);
      const { _id: sourceId, fetched } = file.source;
      if (fetched && latestMs !== undefined) await tx.saveRecordsUntil(sourceId, fetched.key, latestMs);
      // An import is no acquisition, but files of the source may have waited behind it.
      const counted = file.source.importing && outcome.report ? { report: { ...outcome.report, records: 0 } } : outcome;
      const { fileName, sizeBytes, source } = file;
      if (!source.importing)
        await tx.saveLastFile({
          ownerId: source.ownerId,
          sourceId,
          fileName: shownName(fileName),
          sizeBytes,
          timeMs: now(),
          outcome,
        });
      await fileSettled(tx, sourceId, counted, now());
    });
  }
}
